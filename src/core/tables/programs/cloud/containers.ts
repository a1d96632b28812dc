export const CONTAINER_PROGRAMS = String.raw`
# Containers: docker and programs with the same commands, compose files, and runtimes below them.

group SHOWING
  options -a,--all -q,--quiet --format= -f,--filter= --no-trunc -n,--last= -l,--latest -s,--size --digests --tree

group RUNNING
  options -v,--volume= --mount= --privileged>permissions.change --cap-add=>permissions.change
  options --device=>permissions.change --security-opt=>permissions.change --pid=>permissions.change --ipc=
  options --userns=>permissions.change --cgroupns= --volumes-from= -i,--interactive -t,--tty -d,--detach --rm --name=
  options -e,--env= --env-file=read -w,--workdir= -u,--user= -p,--publish= -P,--publish-all --network,--net=
  options --network-alias= --entrypoint= --platform= --pull= -l,--label= -h,--hostname= --add-host= --restart=
  options -m,--memory= --cpus= --cpu-shares= --shm-size= --gpus= --ulimit= --tmpfs= --read-only --init -q,--quiet
  options --link= --dns= --log-driver= --log-opt= --stop-signal= --health-cmd= --no-healthcheck --cidfile=write
  options -a,--attach= --detach-keys= --cap-drop= --sysctl= --runtime= --expose= --ip= --mac-address= --oom-kill-disable
  options --group-add= --sig-proxy? --isolation=

group COMPOSE
  options -f,--file=read -p,--project-name= --profile= --env-file=read --project-directory=read --progress= --ansi=
  options --compatibility --dry-run --parallel= --all-resources

docker, podman, nerdctl
  class none
  options -c,--context=>network.write -D,--debug -l,--log-level= --version,-v --help
  everywhere
  try docker --version
  try docker --context prod ps => network.write
  try docker weird => process.exec ?
  try docker -H tcp://a.example ps => process.exec ?

docker help, docker compose help
  class none
  takes text...
  try docker help run

docker ps, docker images, docker container ls, docker container list, docker container ps, docker image ls,
docker image list, docker volume ls, docker volume list, docker network ls, docker network list, docker context ls,
docker plugin ls, docker node ls, docker service ls, docker stack ls, docker stack ps, docker secret ls,
docker config ls, podman ps, podman images, podman container ls, podman image ls, podman volume ls, podman network ls,
podman pod ps, podman pod ls, nerdctl ps, nerdctl images
  class fs.read
  takes text...
  options SHOWING
  try docker ps -a
  try docker images --format '{{.ID}}'
  try docker volume ls
  try podman ps

docker logs, docker container logs, docker service logs, podman logs, podman container logs, nerdctl logs
  class fs.read
  takes text...
  options -f,--follow -n,--tail= --since= --until= -t,--timestamps --details --no-trunc --raw
  try docker logs -f --tail 100 web
  try podman logs web

docker inspect, docker container inspect, podman inspect, podman container inspect, nerdctl inspect,
nerdctl container inspect
  class network.read
  check inspect
  takes text...
  options -f,--format= -s,--size --type= --mode=
  try docker inspect web => secrets.read
  try docker inspect -f '{{.State.Status}}' web
  try docker inspect --format '{{.Config.Env}}' web => secrets.read
  try docker inspect -f '{{json .}}' web => secrets.read
  try docker inspect --type=network a
  try docker inspect -f '{{.Config.Image}}' web

docker top, docker container top, podman top
  class network.read
  check ps
  takes text...
  options -e -f -a -x -A -o=
  try docker top web
  try docker top web -ef
  try docker top web e => secrets.read
  try podman top web -o pid,env => secrets.read

docker image inspect, docker volume inspect, docker network inspect, docker history, docker image history, docker port,
docker container port, docker diff, docker container diff, docker stats, docker container stats, docker version,
docker info, docker system df, docker system info, docker events, docker system events, docker search,
docker manifest inspect, docker context show, docker context inspect, docker buildx ls, docker buildx inspect,
docker buildx version, docker buildx du, docker scout quickview, podman history, podman port, podman diff, podman stats,
podman version, podman info, podman system df, podman events, podman search
  class network.read
  takes text...
  options -f,--format,--filter= -s,--size --type= --no-trunc -q,--quiet -H,--human --no-stream -a,--all --since=
  options --until= --limit= -v,--verbose --bootstrap>process.exec
  try docker image inspect a
  try docker stats --no-stream
  try docker info
  try docker version
  try podman info

docker run, docker container run, podman run, nerdctl run
  class process.exec
  check container
  takes text command
  options RUNNING
  try docker run --rm alpine
  try docker run -it --rm alpine ls / => fs.read process.exec
  try docker run -v /etc:/x alpine rm -rf /x => fs.delete fs.write process.exec
  try docker run --privileged alpine => permissions.change
  try docker run -v /var/run/docker.sock:/s alpine => permissions.change process.exec
  try docker run -v .:/w:ro alpine => fs.read process.exec
  try docker run alpine --help

docker create, docker container create, podman create
  class process.exec
  check container
  takes text command
  options RUNNING
  try docker create alpine

docker exec, docker container exec, podman exec, podman container exec, nerdctl exec
  class process.exec
  takes text command
  options -i,--interactive -t,--tty -d,--detach -e,--env= --env-file=read -w,--workdir= -u,--user=
  options --privileged>permissions.change --detach-keys=
  try docker exec -it web ls => fs.read process.exec
  try docker exec web rm -rf x => fs.delete process.exec
  try docker exec web sh -c 'rm a' => fs.delete process.exec

docker build, docker buildx build, docker buildx bake, docker image build, docker builder build, docker start,
docker stop, docker restart, docker kill, docker pause, docker unpause, docker wait, docker attach, docker rename,
docker update, docker pull, docker image pull, docker tag, docker image tag, docker commit, docker load,
docker image load, docker import, docker image import, docker container start, docker container stop,
docker container restart, docker container kill, docker network create, docker network connect,
docker network disconnect, docker volume create, docker buildx create, docker buildx use, docker buildx rm,
docker buildx stop, docker checkpoint, docker debug, docker desktop, docker scan, docker sbom, docker scout,
docker model, docker ai, docker offload, podman build, podman start, podman stop, podman restart, podman kill,
podman pull, podman tag, podman commit, podman load, podman machine, podman generate, podman play, podman pod create,
podman network create, podman volume create, podman unshare, nerdctl build, nerdctl pull
  class process.exec
  check container
  takes text...
  options -v,--volume= --secret= --allow=>permissions.change
  free
  try docker build -t a .
  try docker pull alpine
  try docker stop web
  try podman build .

docker rm, docker rmi, docker container rm, docker container prune, docker image rm, docker image remove,
docker image prune, docker volume rm, docker volume remove, docker volume prune, docker network rm,
docker network remove, docker network prune, docker system prune, docker builder prune, docker buildx prune, podman rm,
podman rmi, podman container rm, podman container prune, podman image rm, podman image prune, podman volume rm,
podman volume prune, podman network rm, podman pod rm, podman system prune, podman system reset, nerdctl rm, nerdctl rmi
  class fs.delete
  takes text...
  free
  reach host
  try docker rm -f web
  try docker system prune -af --volumes
  try docker volume rm data

docker cp, docker container cp, podman cp
  class process.exec
  takes text...
  options -a,--archive -L,--follow-link -q,--quiet
  try docker cp web:/a b

docker save, docker image save, docker export, docker container export, podman save, podman export
  class fs.read
  takes text...
  options -o,--output=write --platform= --format=
  try docker save -o a.tar alpine => fs.write fs.read

docker push, docker image push, docker manifest push, docker manifest create, docker manifest annotate,
docker service create, docker service update, docker service rm, docker service scale, docker service rollback,
docker stack deploy, docker stack rm, docker node update, docker node rm, docker node promote, docker node demote,
docker config create, docker config rm, podman push, podman manifest push, nerdctl push
  class deploy.write
  takes text...
  free
  try docker push a/b
  try docker stack deploy -c a.yml web

docker login, docker logout, docker swarm, docker secret create, docker secret rm, docker trust, docker plugin,
docker plugin install, docker context create, docker context use, docker context rm, docker context update,
docker context import, docker context export, podman login, podman logout, podman secret
  class permissions.change
  takes text...
  free
  try docker login
  try docker swarm init
  try docker context use x

docker compose, docker-compose, podman-compose, podman compose
  class none
  options COMPOSE --version,-v -h,--help
  everywhere
  try docker-compose --version
  try docker-compose weird => process.exec ?

docker compose ps, docker compose ls, docker compose logs, docker compose images, docker compose top,
docker compose port, docker compose events, docker compose version, docker compose stats, docker compose volumes,
docker-compose ps, docker-compose logs, docker-compose images, docker-compose top, docker-compose port,
docker-compose version, podman-compose ps, podman-compose logs
  class fs.read
  takes text...
  obeys composed
  options -a,--all -q,--quiet --format= --filter= --status= --services --no-trunc --orphans -f,--follow -n,--tail=
  options --since= --until= -t,--timestamps --no-color --no-log-prefix --index= --protocol= --json --short --no-stream
  try docker compose ps
  try docker compose logs -f --tail=50 web
  try docker-compose ps
  try docker compose -f a.yml ps

docker compose config, docker compose convert, docker-compose config
  class secrets.read
  takes text...
  options -q,--quiet<fs.read --services<fs.read --volumes<fs.read --profiles<fs.read --images<fs.read --no-interpolate
  options --format= -o,--output=write
  try docker compose config
  try docker compose config --services => fs.read

docker compose up, docker compose start, docker compose stop, docker compose restart, docker compose build,
docker compose pull, docker compose create, docker compose kill, docker compose pause, docker compose unpause,
docker compose wait, docker compose watch, docker compose cp, docker compose scale, docker compose attach,
docker compose alpha, docker compose export, docker compose commit, docker compose publish, docker compose bridge,
docker-compose up, docker-compose start, docker-compose stop, docker-compose restart, docker-compose build,
docker-compose pull, docker-compose create, docker-compose kill, podman-compose up, podman-compose build
  class process.exec
  takes text...
  free
  try docker compose up -d
  try docker-compose up --build

docker compose down, docker compose rm, docker-compose down, docker-compose rm, podman-compose down
  class process.exec
  takes text...
  options -v,--volumes!>fs.delete --rmi=!
  free
  reversible no
  try docker compose down
  try docker compose down -v

docker compose push, docker-compose push
  class deploy.write
  takes text...
  free
  try docker compose push

docker compose run, docker compose exec, docker-compose run, docker-compose exec, podman-compose run,
podman-compose exec
  class process.exec
  check container
  takes text command
  options -d,--detach -e,--env= -T,--no-TTY -u,--user= -w,--workdir= --index= --privileged>permissions.change --rm
  options -v,--volume= --entrypoint= --name= --no-deps -p,--publish= --service-ports -l,--label= --build --quiet-pull
  options --use-aliases -i,--interactive --cap-add=>permissions.change
  try docker compose exec web ls => fs.read process.exec
  try docker-compose run --rm web rm a => fs.delete process.exec

crictl ps, crictl pods, crictl images, crictl img, crictl logs, crictl stats, crictl version, ctr images ls,
ctr containers ls, ctr tasks ls, virsh list, virsh dominfo, virsh domstate, virsh nodeinfo, buildah images,
buildah containers, docker service ps, docker stack services
  class fs.read
  takes text...
  options -a,--all -q,--quiet -o,--output= --name= --state= --pod= -f,--follow --tail= --since= -p,--previous
  options -t,--timestamps --no-trunc --json --inactive
  try crictl ps -a
  try crictl logs --tail 5 abc
  try virsh list --all
  try ctr images ls
  try virsh -c qemu+ssh://evil.example list => process.exec
  try virsh destroy vm => process.exec
  try docker service ps web

skopeo inspect, skopeo list-tags
  class network.read
  check addressed
  takes text
  options --raw --config --no-tags -n --format= -f=
  try skopeo inspect docker://docker.io/library/nginx
  try skopeo inspect --authfile .env docker://a => network.read ?
  try skopeo copy a b => process.exec
`;
