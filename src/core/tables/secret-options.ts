/**
 * Where programs are given a secret among their words: data only. A line has programs, with the subcommand if only that one is meant, and
 * behind the colon where the secret is:
 *
 *   -p=  --pass=   behind the option, or in the next word      -p+   only right behind it      -p_   only in the next word
 *   -u~:           behind the first colon of its value (also another sign)
 *   -H^            in a header with the name of a secret
 *   pass:          behind this beginning of a word             last  the last word
 *   named          behind a word that is the name of a secret  pairs  behind the sign in every `a=b`
 */
export const SECRET_OPTIONS = `
mysql mariadb mysqldump mariadb-dump mysqladmin mariadb-admin mysqlimport mysqlshow mysqlcheck mysqlpump mycli: -p+
curl curlie: -u~: --user~: -U~: --proxy-user~: --oauth2-bearer= --pass= --proxy-pass= -E~: --cert~: -H^ --header^ --proxy-header^
wget wget2: --header^ --password= --http-password= --ftp-password= --proxy-password=
http https xh xhs: -a~: --auth~:
ab: -A~: -P~: -H^
hey oha bombardier: -a~: -H^
grpcurl wrk vegeta: -H^ -header^
redis-cli valkey-cli keydb-cli: -a_ --pass= named
sshpass: -p=
docker/login podman/login nerdctl/login buildah/login skopeo/login crane/login oras/login helm/login: -p= --password=
skopeo/copy skopeo/inspect podman/pull podman/push buildah/pull buildah/push: --creds~: --src-creds~: --dest-creds~:
az: --password= --admin-password= --client-secret= --account-key= --sas-token= --secret=
az/login: -p=
aws/set npm/set pnpm/set yarn/set pip/set poetry/config composer/config conda/config git/config gcloud/set: named
git: -c^
openssl: pass: key: hexkey: -k_ -K_ -hmac_
gpg gpg2: --passphrase=
7z 7za 7zr 7zz: -p+
rar unrar: -p+ -hp+
zip unzip zipcloak: -P=
ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami: -w=
ldappasswd: -s= -a=
smbclient rpcclient smbget net: -U~% --user~%
mongosh mongo mongodump mongorestore mongoexport mongoimport mongostat mongotop: -p= --password=
htpasswd wpa_passphrase: last
nmcli: named
sqlcmd bcp: -P=
cqlsh cypher-shell influx: -p= -password= --password=
mosquitto_pub mosquitto_sub ipmitool: -P=
snmpwalk snmpget snmpset: -A= -X= -c=
xfreerdp: /p:
rdesktop: -p=
lftp: -u~,
twine/upload poetry/publish: -p= --password=
keytool jarsigner: -storepass= -keypass= -srcstorepass= -deststorepass= -srckeypass= -destkeypass=
kubectl/create oc/create: --from-literal~= --docker-password= --token=
vault/login rclone/obscure rabbitmqctl/add_user rabbitmqctl/change_password rabbitmqctl/authenticate_user: last
rclone/create rclone/update: named
vault/put vault/write fly/set flyctl/set supabase/set heroku/config:set heroku/set: pairs
gh/set: -b= --body=
doctl/init: -t= --access-token=
useradd usermod: -p= --password=
etcdctl: --user~: --password=
s3cmd: --secret_key= --access_key=
consul nomad: -token= --token=
`;
