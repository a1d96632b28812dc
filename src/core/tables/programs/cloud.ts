export const CLOUD_PROGRAMS = String.raw`
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

group KUBE
  options -n,--namespace= --context= --cluster= --user= --request-timeout= --as=>permissions.change
  options --as-group=>permissions.change --as-uid=>permissions.change --kubeconfig=code -s,--server=code
  options --token=>permissions.change --username=>permissions.change --password=>permissions.change
  options --insecure-skip-tls-verify --cache-dir=write --log-flush-frequency= --warnings-as-errors
  options --certificate-authority=read --client-certificate=read --client-key=read --tls-server-name=
  options --disable-compression --match-server-version --profile= -h,--help

group TRIAL
  # Options of kubectl for creating something; any other option may write a file or open an editor.
  options -f,--filename= --edit -k,--kustomize= --raw= --dry-run? --from-file= --from-env-file= --from-literal= --from=
  options -o,--output= --template= --allow-missing-template-keys --show-managed-fields --save-config --validate?
  options -R,--recursive -l,--labels,--selector= --field-manager= --field-selector= --append-hash --image=
  options --image-pull-policy= --port= --target-port= --node-port= --protocol= --replicas= --restart= --env= --command
  options --rm -i,--stdin -t,--tty -q,--quiet --attach --expose --annotations,--annotation= --overrides=
  options --override-type= --privileged --pod-running-timeout= --type= --name= --cluster-ip,--clusterip= --external-ip=
  options --external-name= --load-balancer-ip= --session-affinity= --tcp= --schedule= --class= --default-backend=
  options --rule= --hard= --scopes= --value= --description= --global-default? --preemption-policy= --min-available=
  options --max-unavailable= --all -A,--all-namespaces --cascade? --force --now --wait? --timeout= --grace-period=
  options --ignore-not-found? --interactive --overwrite? --server-side? --force-conflicts? --prune --prune-allowlist=
  options --prune-whitelist= --openapi-patch?

group HELM
  options -n,--namespace= --kube-context= --debug --kubeconfig=code --kube-apiserver=code
  options --kube-token=>permissions.change --kube-as-user=>permissions.change --kube-as-group=>permissions.change
  options --registry-config=read --repository-cache= --repository-config=read -h,--help

group CHART
  options -f,--values=read --set= --set-string= --set-file=list --set-json= --version= --repo=url --devel --username=
  options --password= --ca-file=read --cert-file=read --key-file=read --insecure-skip-tls-verify --verify --keyring=read
  options --dependency-update>process.exec --post-renderer=program>process.exec --post-renderer-args= -o,--output=

group TF
  options -chdir=folder -help,--help,-h -version,--version,-v

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

kubectl, oc, k
  class none
  options KUBE
  everywhere
  try kubectl => none
  try kubectl weird => process.exec ?
  try kubectl --kubeconfig=evil get pods => process.exec ?
  try kubectl --as=admin get pods => permissions.change
  try kubectl get pods --token=x => permissions.change
  try kubectl get pods --profile=heap => fs.write network.read

kubectl get, kubectl describe, oc get, oc describe, k get, k describe
  class network.read
  check kubectl
  takes text...
  options -o,--output= -A,--all-namespaces -l,--selector= --field-selector= --show-labels -w,--watch --watch-only
  options --sort-by= --no-headers --chunk-size= --show-kind -L,--label-columns= --ignore-not-found --output-watch-events
  options --server-print? --template= --raw= --show-managed-fields --subresource= --show-events?
  options --allow-missing-template-keys? -R,--recursive
  try kubectl get pods -A
  try kubectl -n prod get deploy web -o yaml
  try kubectl get secret db -o yaml => secrets.read
  try kubectl get pods,secrets => secrets.read
  try kubectl describe pod web
  try kubectl get secret/db => secrets.read
  try kubectl get --raw /api/v1/secrets => secrets.read
  try kubectl get --raw /api/v1/namespaces/a/%73ecrets => secrets.read
  try kubectl get --raw /readyz
  try kubectl get -f a.yml => network.read ?

kubectl logs, kubectl top pod, kubectl top pods, kubectl top node, kubectl top nodes, kubectl explain,
kubectl api-resources, kubectl api-versions, kubectl version, kubectl auth can-i, kubectl auth whoami, kubectl events,
kubectl config current-context, kubectl config get-contexts, kubectl config get-clusters, kubectl config get-users,
kubectl plugin list, kubectl options, kubectl completion, oc logs, oc status, oc version, oc projects, k logs
  class network.read
  takes text...
  options -f,--follow -c,--container= --tail= --since= --since-time= -p,--previous --timestamps -l,--selector=
  options --all-containers --prefix --limit-bytes= --max-log-requests= -A,--all-namespaces --sort-by= --containers
  options --no-headers -o,--output= --recursive --api-version= --api-group= --namespaced? --verbs= --short --client
  options --list --quiet,-q --subresource= --revision= -w,--watch --timeout= --for= --all --types= --ignore-errors
  options --all-pods -t,--show-token>secrets.read
  try kubectl logs -f web -c app --tail=50
  try kubectl top pods
  try kubectl auth can-i get pods
  try kubectl config get-contexts
  try kubectl explain pod.spec
  try oc whoami -t => secrets.read

kubectl cluster-info
  class network.read
  try kubectl cluster-info
  try kubectl cluster-info dumps => process.exec ?

oc whoami
  class network.read
  options -t,--show-token>secrets.read --show-server --show-console -c,--show-context
  try oc whoami
  try oc whoami -t => secrets.read
  try oc whoami --show-token => secrets.read

kubectl cluster-info dump
  class secrets.read
  takes text...
  options --output-directory=write
  free
  try kubectl cluster-info dump

kubectl config view
  class fs.read
  check kubectl
  options --raw>secrets.read --minify --flatten>secrets.read -o,--output= --merge? --template= --show-managed-fields
  try kubectl config view --minify
  try kubectl config view --raw => secrets.read
  try kubectl config view --flatten => secrets.read
  try kubectl config view --flat => secrets.read

kubectl config use-context, kubectl config use, kubectl config set, kubectl config set-context,
kubectl config set-cluster, kubectl config set-credentials, kubectl config unset, kubectl config delete-context,
kubectl config delete-cluster, kubectl config delete-user, kubectl config rename-context, kubectl certificate,
kubectl auth reconcile, kubectl create role, kubectl create rolebinding, kubectl create clusterrole,
kubectl create clusterrolebinding, kubectl create serviceaccount, kubectl create secret, oc login, oc logout, oc adm
  class permissions.change
  takes text...
  free
  try kubectl config use-context prod
  try kubectl create clusterrolebinding a --clusterrole=cluster-admin --user=x
  try oc login

kubectl create token, oc serviceaccounts
  class secrets.read
  takes text...
  free
  try kubectl create token a

kubectl diff
  class network.read
  takes text...
  options -f,--filename=read -k,--kustomize=list -R,--recursive -l,--selector= --prune --server-side --force-conflicts
  options --field-manager= --concurrency= --load-restrictor= -o,--output=write --show-managed-fields
  try kubectl diff -f a.yml => fs.read network.read

kubectl edit, kubectl patch, kubectl replace, kubectl scale, kubectl autoscale, kubectl label, kubectl annotate,
kubectl set, kubectl taint, kubectl cordon, kubectl uncordon, kubectl drain, kubectl rollout restart,
kubectl rollout undo, kubectl rollout pause, kubectl rollout resume, oc apply, oc create, oc delete, oc edit, oc patch,
oc new-app, oc start-build, oc rollout, oc scale, k apply, k delete
  class deploy.write
  takes text...
  options -f,--filename= --raw=
  free
  try kubectl -n prod scale deploy web --replicas=0
  try kubectl rollout restart deploy/web

kubectl apply, kubectl create, kubectl delete, kubectl run, kubectl expose
  class deploy.write
  check dryrun
  takes text...
  options TRIAL
  try kubectl apply -f a.yml
  try kubectl delete pod web
  try kubectl create cm a --from-file=k=b --dry-run=client -o yaml => fs.read network.read
  try kubectl create cm a --from-file=.env --dry-run=client -o yaml => secrets.read network.read
  try kubectl run a --image=b --dry-run=client --profile-output=x => network.read ?
  try kubectl apply -f a.yml --dry-run=client => fs.read network.read
  try kubectl apply -f a.yml --dry-run=client --dry-run=none
  try kubectl apply -f a.yml --dry-run=server
  try kubectl apply -k . --dry-run=client
  try kubectl create configmap a --from-file=b --dry-run=client -o yaml => fs.read network.read
  try kubectl create configmap a --from-env-file=.env --dry-run=client -o yaml => secrets.read network.read
  try kubectl create configmap a --from-file=k=certs/a.key --dry-run=client => secrets.read network.read
  try kubectl create deployment a --image=b --dry-run=client -o go-template-file=.env => secrets.read network.read
  try kubectl create -f a.yml --edit --dry-run=client

kubectl exec, oc exec, oc rsh, k exec
  class process.exec
  takes text command
  options -i,--stdin -t,--tty -c,--container= -q,--quiet --pod-running-timeout= -f,--filename=read
  reach outside
  try kubectl exec -it web -- ls => fs.read process.exec
  try kubectl exec web -c app -- rm -rf x => fs.delete process.exec
  try kubectl exec web -- sh -c 'rm a' => fs.delete process.exec

kubectl cp, kubectl attach, kubectl debug, kubectl port-forward, kubectl proxy, oc port-forward, oc debug, oc rsync,
oc cp, k9s, kubens, kubectx, kubeadm, eksctl, kops, kubeseal, argocd, flux, istioctl, linkerd, velero, crictl, ctr, k3s,
k3d, rancher, talosctl, lens, okteto, telepresence, kn, tkn, kubebuilder, operator-sdk, colima, limactl, lima, multipass,
VBoxManage, virsh, qemu-system-x86_64, qemu-img, buildah, skopeo, crane, regctl, act, devcontainer, devspace
  class process.exec
  check alone
  takes text...
  options --version<none --help<none
  free
  try vagrant --version => none
  try kubectl port-forward svc/a 80:80
  try k9s
  try kubectl cp web:/a b
  try vagrant up

helm
  class none
  options HELM
  everywhere
  try helm => none
  try helm weird => process.exec ?

kubectl rollout status, kubectl rollout history, kubectl wait, oc rollout status, oc rollout history
  class network.read
  takes text...
  options -f,--filename=read -k,--kustomize=deep -R,--recursive* -l,--selector= --revision= -w,--watch? --timeout=
  options --for= --all -A,--all-namespaces --local --field-selector= -o,--output= --show-managed-fields --template=
  options --allow-missing-template-keys
  try kubectl rollout status deploy/web
  try kubectl wait --for=condition=ready pod/web --timeout=30s
  try kubectl wait -f .env --for=delete => secrets.read network.read

helm list, helm ls, helm history, helm hist, helm get metadata, helm search repo, helm search hub, helm show chart,
helm show values, helm show readme, helm show crds, helm show all, helm inspect, helm repo list, helm repo ls,
helm dependency list, helm dep list, helm plugin list, helm version, helm verify, helm completion
  class network.read
  takes text...
  options -A,--all-namespaces -a,--all -q,--short,--quiet -o,--output= -f,--filter= -l,--selector,--versions -m,--max=
  options --offset= --reverse -d,--date --deployed --failed --pending --superseded --uninstalled --revision=
  options --show-desc --show-resources --version= --devel -r,--regexp --repo=url --max-col-width= --fail-on-no-result
  options --client -c --template= --time-format= --no-headers
  try helm list -A
  try helm status web -n prod
  try helm search repo nginx
  try helm version
  try helm list --kubeconfig evil => process.exec ?

helm status
  class network.read
  takes text
  options --revision= --show-desc -o,--output=>secrets.read --show-resources>secrets.read
  try helm status web -n prod
  try helm status web -o yaml => secrets.read
  try helm status web --show-resources => secrets.read

helm get values, helm get all, helm get manifest, helm get hooks, helm get notes, helm env
  class secrets.read
  takes text...
  free
  try helm get values web
  try helm env
  try helm get hooks web
  try helm get notes web

helm lint
  class fs.read
  check chart
  takes deep...
  options CHART --strict --quiet --with-subcharts --kube-version=
  try helm lint charts/web
  try helm lint -f values.yaml .

helm template
  class network.read
  check chart
  takes text...
  options CHART --output-dir=write -s,--show-only= --include-crds --no-hooks --skip-tests --validate>secrets.read
  options --api-versions,-a= --kube-version= --name-template= -g,--generate-name --is-upgrade --release-name --skip-crds
  options --dry-run?>secrets.read --timeout= --atomic --wait --create-namespace --description=
  try helm template web ./chart
  try helm template web . -f secrets://a => fs.read network.read ?
  try helm template . --post-renderer evil => process.exec
  try helm template . --output-dir out => fs.write network.read
  try helm template . --dry-run=server => secrets.read
  try helm template . --validate => secrets.read

helm install, helm upgrade, helm uninstall, helm delete, helm un, helm rollback, helm test, helm push
  class deploy.write
  takes text...
  options --post-renderer=program
  free
  try helm upgrade --install web ./chart
  try helm uninstall web

helm pull, helm fetch
  class network.read
  check download
  takes text...
  options CHART -d,--destination=write --untar --untardir=write --prov
  try helm pull a/b => fs.write network.read
  try helm pull a/b --untar => fs.write network.read ?

helm repo add, helm repo update, helm repo remove, helm repo index, helm dependency update, helm dependency build,
helm dep update, helm dep up, helm dep build, helm create, helm package, helm plugin install, helm plugin uninstall,
helm plugin update, helmfile, kompose
  class process.exec
  takes text...
  free
  try helm repo add a https://a.example
  try helm dependency update
  try helmfile apply

helm registry
  class permissions.change
  takes text...
  free
  try helm registry login a.example

kustomize build, kubectl kustomize
  class network.read
  takes deep...
  here
  options -o,--output=write --load-restrictor= --enable-helm>process.exec --enable-exec>process.exec
  options --enable-alpha-plugins>process.exec --helm-command=program>process.exec --network --as-current-user -e,--env=
  options --mount=
  partly note.kustomization_not_examined
  try kustomize build overlays/prod => fs.read network.read ?
  try kustomize build --enable-exec . => fs.read process.exec ?
  try kubectl kustomize . => fs.read network.read ?

kustomize version, minikube version, minikube status, minikube ip, minikube profile list, minikube addons list,
kind version, kind get clusters, kind get nodes, k3d version, k3d cluster list, colima status, limactl list
  class fs.read
  takes text...
  options -o,--output= -p,--profile= --name= --short -f,--format= --json
  try minikube status
  try kind get clusters

kind get kubeconfig
  class secrets.read
  takes text...
  free
  try kind get kubeconfig

kustomize, minikube, kind
  class process.exec
  takes text...
  free
  try minikube start
  try kind create cluster
  try kustomize edit set image a=b

terraform, tofu
  class none
  options TF
  everywhere
  words
  try terraform -version
  try terraform --version
  try terraform weird => process.exec ?

terraform fmt, tofu fmt
  class fs.write
  takes file...
  here
  options -check,--check<fs.read -diff,--diff -recursive,--recursive -no-color
  words
  try terraform fmt
  try terraform fmt -check -recursive => fs.read

terraform version, terraform validate, terraform workspace list, terraform workspace show, terraform state list,
terraform metadata, tofu version, tofu validate, tofu workspace list, tofu workspace show, tofu state list
  class network.read
  takes text...
  options -json -no-color -id= -state=read -test-directory= -no-tests
  words
  obeys terraform
  try terraform validate => network.read ?
  try terraform -chdir=infra state list => network.read ?
  try terraform workspace list => network.read ?

terraform providers, tofu providers
  class network.read
  options -test-directory=
  words
  obeys terraform
  try terraform providers => network.read ?
  try tofu providers frob => process.exec ?
  try tofu providers lock => process.exec

# Without a name it prints "<sensitive>" instead of sensitive values.
terraform output, tofu output
  class secrets.read
  check bare
  takes text...
  options -json -raw -no-color -state=read
  words
  obeys terraform
  try terraform output => none ?
  try terraform output -json => secrets.read ?
  try terraform output password => secrets.read ?

terraform state show, tofu state show
  class secrets.read
  takes text...
  options -json -raw -no-color -state=read
  words
  try terraform state show a.b

terraform show, tofu show
  class secrets.read
  takes text...
  options -json -raw -no-color -state=read
  words
  try terraform show plan.out
  try terraform show
  try terraform show -json

terraform state pull, tofu state pull, terraform console, tofu console
  class secrets.read
  takes text...
  free
  words
  try terraform state pull

terraform init, terraform plan, terraform refresh, terraform test, terraform graph, terraform get, terraform import,
terraform providers lock, terraform providers mirror, terraform providers schema, terraform workspace select,
terraform modules, terraform query, terraform stacks, tofu init, tofu plan, tofu refresh, tofu test, tofu graph,
tofu get, tofu import, tofu providers lock, tofu providers mirror, tofu providers schema, terragrunt, terraformer, tfsec,
terraform-docs, infracost
  class process.exec
  takes text...
  options -out=write
  free
  words
  try terraform plan
  try terraform init
  try terraform plan -out=p => fs.write process.exec
  try terragrunt plan

terraform apply, terraform destroy, terraform taint, terraform untaint, terraform force-unlock, terraform state rm,
terraform state mv, terraform state push, terraform state replace-provider, terraform workspace new,
terraform workspace delete, tofu apply, tofu destroy, tofu taint, tofu untaint, tofu force-unlock, tofu state rm,
tofu state mv, tofu state push, tofu workspace new, tofu workspace delete, tofu workspace select
  class deploy.write
  takes text...
  free
  words
  try terraform apply -auto-approve
  try terraform destroy
  try terraform state rm a.b

terraform login, terraform logout, tofu login, tofu logout
  class permissions.change
  takes text...
  free
  words
  try terraform login

pulumi version, pulumi whoami, pulumi stack ls, pulumi plugin ls, pulumi org get-default
  class network.read
  takes text...
  options -j,--json -v,--verbose? --all
  try pulumi stack ls
  try pulumi whoami

pulumi about, pulumi stack
  class network.read
  options -j,--json -i,--show-ids -u,--show-urns --show-name
  try pulumi about
  try pulumi stack
  try pulumi stack --show-secrets => network.read ?
  try pulumi stack rename x => process.exec ?
  try pulumi about env => network.read ?

pulumi preview, pulumi new, pulumi install, pulumi watch, pulumi logs, pulumi convert, pulumi package
  class process.exec
  takes text...
  free
  try pulumi preview

pulumi stack output, pulumi stack export, pulumi config, pulumi env
  class secrets.read
  takes text...
  free
  try pulumi stack output --show-secrets
  try pulumi config get a

pulumi up, pulumi update, pulumi destroy, pulumi refresh, pulumi cancel, pulumi import, pulumi state, pulumi stack init,
pulumi stack rm, pulumi stack select, pulumi stack import
  class deploy.write
  takes text...
  free
  try pulumi up --yes
  try pulumi destroy

pulumi login, pulumi logout
  class permissions.change
  takes text...
  free
  try pulumi login

# Its help evaluates code of the project; its version does not.
vagrant
  class process.exec
  check alone
  takes text...
  options -v,--version<none
  free
  try vagrant --version => none
  try vagrant --help
  try vagrant up

ansible, ansible-playbook, ansible-pull
  class deploy.write
  check alone
  takes text...
  options --version<none -h,--help<none
  free
  obeys ansible
  try ansible-playbook site.yml
  try ansible all -m shell -a 'rm a'
  try ansible --version => none

serverless, sls
  class deploy.write
  check alone
  takes text...
  options --version<none -h,--help<none
  free
  obeys serverless
  try sls deploy
  try sls --version => none

chef, chef-client, knife, puppet, salt, salt-call, salt-ssh, cdk, sam, copilot-cli, eb, amplify, chalice, zappa,
crossplane, nomad, capistrano, fab2, octopus, spinnaker, waypoint
  class deploy.write
  check alone
  takes text...
  options --version<none -h,--help<none
  free
  try cdk deploy
  try chef --version => none

ansible-inventory, ansible-lint, ansible-galaxy, ansible-doc, ansible-config, ansible-console, molecule
  class process.exec
  check alone
  takes text...
  options --version<none -h,--help<none
  free
  obeys ansible
  try ansible-inventory --list
  try ansible-doc --version => none

packer, cfn-lint, cdktf
  class process.exec
  check alone
  takes text...
  options --version<none -h,--help<none
  free
  try packer build a.json

ansible-vault
  class secrets.read
  takes text...
  free
  obeys ansible
  try ansible-vault view a.yml

vault version, vault status, vault list, vault kv list, vault path-help, vault secrets list, vault auth list,
vault policy list, vault policy read, vault audit list
  class network.read
  takes text...
  options -format= -mount= -detailed -namespace,-ns= -field= -address=code
  words
  try vault status
  try vault kv list secret/
  try vault status -address=http://evil.example => process.exec ?

vault read, vault kv get, vault kv metadata, vault token lookup, vault print, vault unwrap, vault agent, vault proxy
  class secrets.read
  takes text...
  free
  words
  try vault kv get secret/db
  try vault read a

vault write, vault delete, vault login, vault kv put, vault kv patch, vault kv delete, vault kv destroy,
vault kv undelete, vault kv rollback, vault token create, vault token revoke, vault token renew, vault policy write,
vault policy delete, vault auth enable, vault auth disable, vault secrets enable, vault secrets disable,
vault secrets tune, vault operator, vault lease, vault ssh, vault patch, vault server, vault plugin, vault audit enable
  class permissions.change
  takes text...
  free
  words
  try vault kv put secret/db a=b
  try vault login

consul version, consul members, consul info, consul catalog, consul kv get, consul operator raft list-peers,
nomad status
  class network.read
  takes text...
  options -format= -detailed -wan -recurse -keys
  words
  try consul members
  try consul kv get a

consul, consul kv put, consul kv delete, consul kv import, consul kv export
  class deploy.write
  takes text...
  free
  words
  try consul kv put a b
  try consul exec ls

aws
  class process.exec
  check aws
  try aws ec2 describe-instances --instance-ids i-1 => network.read
  try aws --profile prod s3 ls => network.read
  try aws s3 cp a s3://b/a => fs.read network.write
  try aws s3 cp s3://b/a - => network.read
  try aws s3 cp s3://b/a out => fs.write network.read
  try aws s3 rm s3://b --recursive => network.write
  try aws s3 sync . s3://b --delete => fs.read network.write
  try aws secretsmanager get-secret-value --secret-id x => secrets.read
  try aws ssm get-parameter --name x --with-decryption => secrets.read
  try aws ssm get-parameter --name x => network.read
  try aws sts get-session-token => secrets.read
  try aws sts get-caller-identity => network.read
  try aws iam create-user --user-name x => permissions.change
  try aws iam list-users => network.read
  try aws lambda invoke --function-name x out => process.exec
  try aws ec2 terminate-instances --instance-ids i-1 => deploy.write
  try aws configure => permissions.change
  try aws configure list => fs.read
  try aws --version => none
  try aws ecr get-login-password => secrets.read
  try aws ec2 describe-vpcs --filters file://a.json => fs.read network.read
  try aws s3api get-object --bucket b --key k out => network.read ?
  try aws --endpoint-url http://evil.example s3 ls => network.read ?
  try aws logs tail /x --follow => network.read
  try aws s3api put-bucket-policy --bucket b --policy x => permissions.change
  try aws ec2 $OP => deploy.write ?

gcloud
  class process.exec
  check gcloud
  try gcloud compute instances list => network.read
  try gcloud --project x projects list => network.read
  try gcloud compute instances delete list => deploy.write ?
  try gcloud auth print-access-token => secrets.read
  try gcloud secrets versions access latest --secret=x => secrets.read
  try gcloud config list => network.read
  try gcloud projects list --impersonate-service-account=x => network.read ?
  try gcloud projects list --access-token-file=a => network.read ?
  try gcloud config set project x => permissions.change
  try gcloud projects add-iam-policy-binding x => permissions.change
  try gcloud run deploy web => deploy.write
  try gcloud compute ssh web => process.exec
  try gcloud logging read x --limit 5 => network.read
  try gcloud container clusters get-credentials a => permissions.change
  try gcloud --version => none
  try gcloud storage ls gs://b => network.read
  try gcloud storage rm gs://b/a => network.write
  try gcloud frob list => deploy.write ?

az
  class process.exec
  check az
  try az vm list -o table => network.read
  try az account show => network.read
  try az keyvault secret show --name a --vault-name b => secrets.read
  try az storage account keys list -n a => secrets.read
  try az account get-access-token => secrets.read
  try az vm delete -n a => deploy.write
  try az role assignment create --role Owner => permissions.change
  try az login => permissions.change
  try az rest --method delete --url x => network.write
  try az group list --query '[].name' => network.read
  try az --version => none
  try az aks get-credentials -n a => permissions.change
  try az vm run-command invoke -n a => process.exec

gsutil ls, gsutil cat, gsutil stat, gsutil du, gsutil version, gsutil help
  class network.read
  takes text...
  options -l -h -r,-R -a -b -L -d -s -c -e -j -m
  try gsutil ls gs://b
  try gsutil cat gs://b/a

gsutil hash
  class network.read
  takes read...
  options -c -h -m
  try gsutil hash a => network.read fs.read

gsutil
  class network.write
  takes text...
  options -o=code
  free
  try gsutil -m cp a gs://b
  try gsutil rm gs://b/a
  try gsutil iam ch x gs://b

doctl account get, doctl compute droplet list, doctl compute droplet get, doctl kubernetes cluster list, doctl apps logs,
doctl balance get, doctl version, doctl projects list, flyctl apps list, flyctl logs, flyctl machine list,
flyctl regions list, flyctl secrets list, flyctl volumes list, fly apps list, fly logs, fly machine list,
fly secrets list, fly volumes list, heroku logs, heroku version, vercel ls, vercel list, vercel inspect, vercel logs,
vercel whoami, vercel domains ls, netlify status, netlify sites:list, netlify logs, wrangler whoami,
wrangler deployments list, wrangler tail, wrangler kv namespace list, wrangler kv key list, wrangler kv key get,
wrangler r2 bucket list, wrangler d1 list, wrangler secret list, firebase projects:list, firebase apps:list,
firebase functions:log, firebase functions:list, firebase hosting:channel:list, supabase projects list,
supabase functions list, supabase migration list, railway status, railway logs, railway whoami, linode-cli linodes list,
hcloud server list, hcloud server describe, scw instance server list, oci iam region list
  class network.read
  takes text...
  options -a,--app= -n,--num= -t,--tail -o,--output= --format= --json,-j --no-header --team,--scope= -p,--project=
  options --limit= -r,--region= --follow,-f --all -e,--env= --source,-s= --dyno,-d= --binding= --namespace-id= --remote
  options --local --prefix= --site= --since= --project-ref= --name= --no-tail
  try fly logs --no-tail
  try heroku logs --tail -a web
  try vercel ls
  try wrangler whoami
  try doctl compute droplet list
  try vercel ls --token x => network.read ?

flyctl status, flyctl releases, flyctl version, fly status, fly releases, fly version, heroku apps, heroku ps,
heroku releases, heroku addons, heroku domains, heroku status, render services
  class network.read
  options -a,--app= -n,--num= -t,--tail -o,--output= --format= --json,-j --no-header --team,--scope= -p,--project=
  options --limit= -r,--region= --follow,-f --all -e,--env= --source,-s= --dyno,-d= --binding= --namespace-id= --remote
  options --local --prefix= --site= --since= --project-ref= --name= --no-tail
  try heroku ps -a web
  try flyctl status
  try heroku releases rollback => network.read ?
  try heroku apps destroy => network.read ?
  try render services delete => network.read ?
  try fly version
  try fly version upgrade => network.read ?

doctl apps list, doctl apps get
  class network.read
  takes text...
  options --format= --no-header
  try doctl apps list
  try doctl apps get a --format ID

# One of the fields that can be requested is the address with the password in it.
doctl databases list
  class network.read
  takes text...
  options --no-header
  try doctl databases list
  try doctl databases list -o json => network.read ?
  try doctl databases list --format URI => network.read ?

heroku config, heroku config:get, heroku auth:token, vercel env pull, vercel env ls, netlify env:list, netlify env:get,
firebase functions:config:get, firebase functions:secrets:access, firebase login:ci, supabase status,
supabase secrets list, railway variables, flyctl auth token, fly auth token, doctl auth token,
supabase projects api-keys, doctl registry docker-config, doctl kubernetes cluster kubeconfig
  class secrets.read
  takes text...
  free
  try heroku config -a web
  try vercel env pull
  try flyctl auth token

heroku login, heroku logout, heroku access, heroku authorizations, heroku keys, heroku config:set, heroku config:unset,
vercel login, vercel logout, vercel env add, vercel env rm, vercel teams, netlify login, netlify logout, netlify env:set,
netlify env:unset, wrangler login, wrangler logout, wrangler secret put, wrangler secret delete, firebase login,
firebase logout, supabase login, supabase logout, supabase secrets set, supabase secrets unset, flyctl auth login,
flyctl auth logout, flyctl secrets set, flyctl secrets unset, flyctl tokens, fly auth login, fly auth logout,
fly secrets set, fly secrets unset, fly tokens, doctl auth init, railway login
  class permissions.change
  takes text...
  free
  try heroku config:set A=b
  try fly secrets set A=b
  try wrangler secret put A

doctl, flyctl, fly, heroku, vercel, now, netlify, wrangler, firebase, supabase, railway, render, linode-cli, hcloud, scw,
ibmcloud, oci, surge, gh-pages, cf, eas, appcenter
  class deploy.write
  check alone
  takes text...
  options --version<none -h,--help<none
  free
  try vercel --prod
  try flyctl deploy
  try heroku run rm
  try wrangler deploy
  try firebase deploy
  try vercel --version => none
  try supabase db push

stripe
  class payments.move
  check stripe
  takes text...
  options --api-key= -p,--project-name= --config=code --color= --device-name= --log-level= --live --limit,-l=
  options --starting-after,-a= --ending-before,-b= -d,--data= -e,--expand= -i,--idempotency= -v,--stripe-version=
  options -s,--show-headers -c,--confirm --stripe-account= --format= -h,--help
  try stripe --device-name get post /v1/payouts -d amount=1000
  try stripe -p get post /v1/payouts
  try stripe --frob get post /v1/payouts => payments.move ?
  try stripe customers list => network.read
  try stripe refunds create --charge=x => payments.move ?
  try stripe get /v1/charges => network.read
  try stripe trigger payment_intent.succeeded
  try stripe login => permissions.change
  try stripe post /v1/payouts
  try stripe trigger list

paypal, square, adyen, plaid, wise, coinbase, solana, cast, bitcoin-cli, eth, geth, near, aptos, sui
  class payments.move
  takes text...
  free
  try bitcoin-cli sendtoaddress x 1
  try solana transfer a 1

op, bw, lpass, gopass, keepassxc-cli, secret-tool, keyring, doppler, infisical, chamber, aws-vault, envchain, dotenvx,
sops, berglas, teller, summon, akeyless, conjur, dashlane, rbw
  class secrets.read
  check alone
  takes text...
  options --version<none -h,--help<none
  free
  try op read op://a/b
  try bw get password x
  try op --version => none
  try sops -d a.yml
  try secret-tool lookup a b

op run, doppler run, infisical run, aws-vault exec, chamber exec, dotenvx run
  class secrets.read
  takes command
  options --env-file=read --no-masking -e,--env= -p,--project= -c,--config= -f=read
  try op run -- ls => fs.read secrets.read
  try doppler run -- rm a => fs.delete secrets.read

pass, security
  class secrets.read
  takes text...
  free
  try pass show a
  try security find-generic-password -w -s x
  try pass

pass insert, pass edit, pass generate, pass rm, pass mv, pass cp, pass init, pass git, pass otp,
security add-generic-password, security add-internet-password, security delete-generic-password,
security delete-internet-password, security import, security set-key-partition-list, security authorizationdb,
security add-trusted-cert, security unlock-keychain, security create-keychain, security delete-keychain,
security default-keychain, security set-keychain-settings
  class permissions.change
  takes text...
  free
  try pass rm a
  try security add-trusted-cert a.crt
`;
