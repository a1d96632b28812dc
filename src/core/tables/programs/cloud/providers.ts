export const PROVIDER_PROGRAMS = String.raw`
# Clouds, hosting services and payment services.

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

# One of the fields that can be requested is an address that contains the password.
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
`;
