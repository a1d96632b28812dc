export const INFRASTRUCTURE_PROGRAMS = String.raw`
# Infrastructure as code, and the stores of secrets and settings that belong to it.

group TF
  options -chdir=folder -help,--help,-h -version,--version,-v

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

# Without a name terraform prints "<sensitive>" instead of sensitive values.
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

pulumi stack
  class network.read
  options -j,--json -i,--show-ids -u,--show-urns --show-name
  try pulumi stack
  try pulumi stack --show-secrets => network.read ?
  try pulumi stack rename x => process.exec ?

# To describe the project, about starts the interpreter that the settings of the project name.
pulumi about, pulumi preview, pulumi new, pulumi install, pulumi watch, pulumi logs, pulumi convert, pulumi package
  class process.exec
  takes text...
  free
  try pulumi preview
  try pulumi about

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

# To print its help vagrant runs code of the project; to print its version it does not.
vagrant
  class process.exec
  check alone
  takes text...
  options -v,--version<none
  free
  try vagrant --version => none
  try vagrant --help
  try vagrant up

ansible, ansible-pull
  class deploy.write
  check alone
  takes text...
  options --version<none -h,--help<none
  free
  obeys ansible
  try ansible all -m shell -a 'rm a'
  try ansible --version => none

# With these options it reads the playbook, for which plugins may run, and reaches no other machine.
ansible-playbook
  class deploy.write
  takes text...
  options --syntax-check<process.exec --list-tasks<process.exec --list-tags<process.exec
  free
  obeys ansible
  try ansible-playbook site.yml
  try ansible-playbook site.yml --check
  try ansible-playbook site.yml --syntax-check => process.exec
  try ansible-playbook -i hosts site.yml --list-tasks => process.exec

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

promtool check config, promtool check rules
  class fs.read
  takes read...
  options --lint= --lint-fatal --syntax-only
  try promtool check config prometheus.yml

promtool
  class process.exec
  check alone
  takes text...
  options --version<none --help<none
  free
  try promtool --version => none
  try promtool push metrics https://example.com a

nomad node status, nomad job status, nomad alloc status, nomad server members
  class network.read
  takes text...
  options -short -verbose -json -t=
  words
  try nomad node status
  try nomad job status web

nomad job, nomad node, nomad alloc, nomad server
  class deploy.write
  takes text...
  free
  try nomad job stop web
  try nomad alloc exec a sh
`;
