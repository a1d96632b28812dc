export const KUBERNETES_PROGRAMS = String.raw`
# Kubernetes: clusters, charts, and what is installed in them.

group KUBE
  options -n,--namespace= --context= --cluster= --user= --request-timeout=local --as=>permissions.change
  options --as-group=>permissions.change --as-uid=>permissions.change --kubeconfig=code -s,--server=code
  options --token=>permissions.change --username=>permissions.change --password=>permissions.change
  options --insecure-skip-tls-verify --cache-dir=write --log-flush-frequency=local --warnings-as-errors
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
  options --max-unavailable= --all -A,--all-namespaces --cascade? --force --now --wait? --timeout=local --grace-period=
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
  options --sort-by=local --no-headers --chunk-size= --show-kind -L,--label-columns=local --ignore-not-found --output-watch-events
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
  options -f,--follow -c,--container= --tail=local --since=local --since-time=local -p,--previous --timestamps -l,--selector=
  options --all-containers --prefix --limit-bytes=local --max-log-requests=local -A,--all-namespaces --sort-by=local --containers
  options --no-headers -o,--output= --recursive --api-version= --api-group= --namespaced? --verbs= --short --client
  options --list --quiet,-q --subresource= --revision= -w,--watch --timeout=local --for= --all --types= --ignore-errors
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

stern
  class network.read
  takes text...
  options -n,--namespace= -A,--all-namespaces -c,--container= -l,--selector= -s,--since= --tail= -o,--output=
  options -t,--timestamps -e,--exclude= -i,--include= --no-follow --color= -v,--version -h,--help
  try stern web -n prod --since 10m
  try stern --kubeconfig=./a web => network.read ?

kubeval, kubeconform
  class network.read
  takes deep...
  options -strict,--strict -summary,--summary -output,--output,-o= -ignore-missing-schemas,--ignore-missing-schemas
  options -kubernetes-version,--kubernetes-version= -verbose -n= -skip= -reject= -v,-version,--version -h,-help,--help
  words
  try kubeconform -strict deploy.yaml => fs.read network.read
  try kubeconform -schema-location https://a.example/x a => fs.read network.read ?

argocd version, argocd app list, argocd app get, argocd app history, argocd app resources, argocd app diff,
argocd proj list, argocd repo list
  class network.read
  takes text...
  options --client --short -o,--output= -p,--project= -l,--selector= --show-operation
  try argocd app list
  try argocd app get web
  try argocd app diff web --local a => network.read ?
  try argocd --server=evil.example app list => network.read ?
  try argocd app sync web => process.exec ?

flux version, flux get, flux logs, flux check, flux tree, flux stats, flux events
  class network.read
  takes text...
  options -n,--namespace= -A,--all-namespaces -w,--watch --pre -f,--follow --level= --kind= --name= --since= --tail=
  options --client
  try flux get kustomizations -A
  try flux check --pre
  try flux --kubeconfig=./a get all => network.read ?
  try flux get all --kubeconfig=./a => network.read ?
  try flux suspend kustomization a => process.exec

istioctl analyze, istioctl proxy-status, istioctl ps, velero backup get, velero backup describe, velero backup logs,
velero restore get, velero schedule get, linkerd check, eksctl get
  class network.read
  takes read...
  options -n,--namespace= -A,--all-namespaces -o,--output= --name= --cluster= --region= --pre --proxy
  try istioctl analyze
  try velero backup get
  try linkerd check
  try eksctl get cluster => fs.read network.read
  try velero backup delete a => process.exec ?
  try eksctl delete cluster a => process.exec
`;
