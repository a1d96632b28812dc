export const DATA_PROGRAMS = String.raw`
group PG
  options -h,--host=host -p,--port= -U,--username= -d,--dbname= -w,--no-password -W,--password -V,--version --help

group MY
  options -h,--host=host -P,--port= -u,--user= -p,--password? -D,--database= -S,--socket= --protocol= --ssl-mode= --ssl
  options --ssl-ca=read --default-character-set= -C,--compress --connect-timeout=local

group ETCD
  options --prefix --keys-only --limit= --endpoints=host --write-out,-w= --cacert=read --cert=read --key=read --user=
  options --print-value-only --from-key --rev= --sort-by= --order= --cluster --count-only

psql
  class db.read
  check statements
  takes text text
  options -c,--command=sql -f,--file=code -l,--list -o,--output=write -L,--log-file=write -t,--tuples-only -A,--no-align
  options -x,--expanded -q,--quiet -X,--no-psqlrc -1,--single-transaction -v,--set,--variable= -P,--pset=local
  options -F,--field-separator=local -R,--record-separator=local -z -0 -a,--echo-all -b -e,--echo-queries -E,--echo-hidden
  options -H,--html --csv -n,--no-readline -s,--single-step -S,--single-line PG
  try psql -c 'select 1'
  try psql -h db.internal -U ana -d app -tAc 'select count(*) from a'
  try psql -c 'delete from a' => db.write
  try psql -c 'drop table a' => db.write
  try psql -c 'grant all on a to b' => permissions.change
  try psql -f a.sql => process.exec ?
  try psql => db.write ?
  try psql -l
  try psql -c '\! rm a' => db.write ?
  try psql -c '\copy a to b' => db.write ?
  try psql -c "copy a to program 'x'" => db.write ?
  try psql -o out -c 'select 1' => db.read fs.write
  try psql -o '|rm a' -c 'select 1' => fs.write process.exec ?
  try psql -v x=1 <<< 'select :x' => db.write ?
  try psql -v ON_ERROR_STOP=1 -c 'select 1'
  try psql postgres://ana@db.internal/app -c 'select 1'
  try psql -h db.example -c 'select 1' => db.read ?
  try psql 'host=db.example' -c 'select 1' => db.read ?
  try psql -c '\dt'
  try psql -c '\dt ${"`"}id${"`"}' => db.write ?
  try psql -c '\d+ a'
  try psql <<< 'select 1' => db.read
  try echo 'drop table a' | psql => db.write ?
  try psql -c 'select 1' -c 'update a set b=1' => db.write
  try psql -c 'select 1 \g |evil' => process.exec ?
  try psql --version => none

mysql, mariadb
  class db.read
  check statements
  takes text
  options -e,--execute=sql MY -N,--skip-column-names -B,--batch -s,--silent -r,--raw -t,--table -E,--vertical -H,--html
  options -X,--xml -v,--verbose -f,--force -q,--quick -A,--no-auto-rehash --init-command=sql --pager?>process.exec
  options --tee=write --defaults-file=code --defaults-extra-file=code --login-path= --plugin-dir=code --version,-V
  options --help -n,--unbuffered --column-names --line-numbers --safe-updates --reconnect --local-infile?>process.exec
  try mysql -e 'select 1'
  try mysql -u ana -psecret app -e 'show tables'
  try mysql -e 'drop database a' => db.write
  try mysql -e 'system rm a' => db.write ?
  try mysql -e "select 1 into outfile '/tmp/x'" => db.write ?
  try mysql --pager=evil -e 'select 1' => process.exec
  try mysql app < dump.sql => db.write fs.read ?
  try mysql -e '\! id' => db.write ?

sqlite3
  class db.read
  check filedb
  takes text...
  options -cmd,--cmd= -c= -header,--header -noheader -csv,--csv -json,--json -column -box -table -markdown -line -list
  options -html -tabs -ascii -quote -separator= -newline= -nullvalue= -readonly,--readonly -safe,--safe -batch -bail
  options -echo -stats -init=code --version,-version -help
  words
  try sqlite3 a.db 'select * from v' => db.read fs.read process.exec ?
  try sqlite3 -safe a.db 'select * from v' => db.read fs.read
  try sqlite3 :memory: 'select 1'
  try sqlite3 -readonly -header -csv a.db 'select * from t' => db.read fs.read process.exec ?
  try sqlite3 --safe -readonly -header -csv a.db 'select * from t' => db.read fs.read
  try sqlite3 a.db .tables => db.read fs.read
  try sqlite3 a.db '.schema t' => db.read fs.read
  try sqlite3 a.db 'delete from t' => db.write fs.write process.exec ?
  try sqlite3 -safe a.db 'delete from t' => db.write fs.write
  try sqlite3 a.db '.shell rm a' => fs.write process.exec ?
  try sqlite3 a.db '.system rm a' => fs.write process.exec ?
  try sqlite3 a.db '.output x' => fs.write process.exec ?
  try sqlite3 a.db "select writefile('x','y')" => db.write fs.write process.exec ?
  try sqlite3 -cmd '.shell id' a.db 'select 1' => fs.write process.exec ?
  try sqlite3 a.db => db.write fs.write process.exec ?
  try sqlite3 -init evil a.db 'select 1' => fs.write process.exec ?
  try sqlite3 --version => none
  try sqlite3 -safe a.db "attach 'b' as b" => db.write fs.write ?

duckdb
  class db.read
  check filedb
  takes text...
  options -c,--c= -cmd= -header -noheader -csv -json -column -box -table -markdown -line -list -readonly -safe -batch
  options -bail -echo -init=code --version,-version -help
  words
  try duckdb a.db -c 'select 1' => db.read fs.read process.exec ?
  try duckdb -c 'select 1'
  try duckdb -c "select * from read_csv('x')" => db.write ?
  try duckdb a.db -c "copy t to 'x'" => db.write fs.write process.exec ?

redis-cli, valkey-cli, keydb-cli
  class db.read
  check redis
  takes text...
  options -h=host -p= -s=write -a,--pass= --user= --askpass -u= -r= -i= -n= -# -2 -3 -x>db.write -X=>db.write -d= -D= -c
  options -e --tls --sni= --cacert=read --cert=read --key=read --insecure --raw --no-raw --csv --json --quoted-json
  options --show-pushes= --stat --latency --latency-history --latency-dist --scan --pattern= --count= --bigkeys
  options --memkeys --hotkeys --no-auth-warning --version,-v --help --rdb=write>secrets.read --pipe>db.write
  options --pipe-timeout= --eval=code --ldb>db.write --ldb-sync-mode>db.write --cluster>db.write --replica>db.read
  options --functions-rdb=write --intrinsic-latency= --lru-test=>db.write --verbose
  try redis-cli get a
  try redis-cli -h cache.internal info
  try redis-cli --scan --pattern 'a*'
  try redis-cli set a b => db.write
  try redis-cli flushall => db.write
  try redis-cli --eval evil.lua => db.write ?
  try redis-cli config set dir /tmp => permissions.change
  try redis-cli config get maxmemory
  try redis-cli config get requirepass => secrets.read
  try redis-cli => db.write ?
  try redis-cli -n 2 hgetall a
  try redis-cli EVAL 'x' 0 => permissions.change
  try redis-cli -u redis://:x@cache.internal:6379/1 ping
  try redis-cli --version => none

mongosh, mongo
  class db.write
  takes text...
  options --eval= -f,--file=read --version<none --help<none --host=host
  free
  partly note.code_not_examined
  try mongosh --eval 'db.a.find()' => db.write ?
  try mongo app => db.write ?

pg_dumpall
  class secrets.read
  takes text...
  options -f,--file=write PG
  free
  try pg_dumpall
  try pg_dumpall > a.sql => fs.write secrets.read

pg_dump
  class db.read
  check connecting
  takes text...
  options -f,--file=write PG -F,--format= -t,--table= -T,--exclude-table= -n,--schema= -N,--exclude-schema=
  options -a,--data-only -s,--schema-only -c,--clean -C,--create -O,--no-owner -x,--no-privileges,--no-acl -j,--jobs=
  options -Z,--compress= -v,--verbose -b,--blobs,--large-objects --if-exists --inserts --column-inserts --no-comments
  options --no-tablespaces -g,--globals-only -r,--roles-only --quote-all-identifiers --exclude-table-data= --section=
  options --strict-names
  try pg_dump -s app
  try pg_dump app -f a.sql => db.read fs.write
  try pg_dump app > a.sql => db.read fs.write

mysqldump, mariadb-dump
  class db.read
  check dump
  takes text...
  options -r,--result-file=write -T,--tab=write MY --single-transaction -q,--quick --lock-tables -d,--no-data
  options -t,--no-create-info -n,--no-create-db -R,--routines --triggers --skip-triggers -E,--events -B,--databases
  options -A,--all-databases --skip-lock-tables --add-drop-table --add-drop-database -w,--where= --ignore-table=
  options -y,--no-tablespaces --set-gtid-purged= --column-statistics= -c,--complete-insert --hex-blob -v,--verbose
  options --compact --skip-comments --opt -e,--extended-insert --defaults-file=code --defaults-extra-file=code
  options --plugin-dir=code --log-error=write
  try mysqldump -u ana app
  try mysqldump app a -w 'id > 5'
  try mysqldump -A => secrets.read
  try mysqldump app a -w 'f(1)' => db.write
  try mysqldump -q -r x app => db.read fs.write
  try mysqldump --tab=out app => db.read fs.write

mongoexport
  class db.read
  takes text...
  options -o,--out=write --uri= --host=host --port= -u,--username= -p,--password= -d,--db= -c,--collection= -q,--query=
  options --queryFile=read -f,--fields= --type= --authenticationDatabase= --jsonArray --pretty --limit= --sort= --quiet
  options -v,--verbose
  try mongoexport -d app -c a
  try mongoexport -d app -c a -o x => db.read fs.write

pg_restore, mongodump, mongorestore, mongoimport, createdb, dropdb, createuser, dropuser, vacuumdb, reindexdb, clusterdb,
initdb, pg_ctl, pg_basebackup, pg_upgrade, pg_resetwal, pgbench, mysqladmin, mysqlimport, mysqlcheck, mysql_upgrade,
mysqld, mariadb-admin, mysql_secure_installation, postgres, mongod, mongos, redis-server, valkey-server, pgloader,
flyway, liquibase, dbmate, goose-db, migrate, atlas, sqlx, diesel, sqlcmd, bcp, sqlplus, isql, usql, pgcli, mycli,
litecli, cqlsh, cypher-shell, neo4j, arangosh, surreal, cockroach, influx, influxd, clickhouse, clickhouse-server,
clickhouse-local, trino, presto, beeline, hive, impala-shell, spark-sql, spark-submit, snowsql, bteq, memcached, etcd,
qdrant, weaviate, elasticsearch, opensearch, curator, kafka-server-start, kafka-server-start.sh,
zookeeper-server-start.sh, rabbitmq-server, nats-server, mosquitto
  class db.write
  check alone
  takes text...
  options -V,--version<none --help<none
  free
  reversible no
  try dropdb app
  try pg_restore -d app a.dump
  try createdb app
  try mysqladmin drop app
  try flyway migrate
  try influx query x
  try dropdb --version => none
  try dropdb --version app

pg_isready, pg_config, pg_lsclusters
  class db.read
  check connecting
  takes text...
  options PG -q,--quiet -t,--timeout= --bindir --includedir --libdir
  try pg_isready
  try pg_isready -h db.example

# It obeys clickhouse-client.xml in its folder, which may name another server.
clickhouse-client
  class db.read
  check statements
  partly note.settings_beside_not_examined
  takes text...
  options -q,--query=sql -h,--host=host --port= -u,--user= --password= -d,--database= -f,--format= -m,--multiline
  options -n,--multiquery -t,--time -s,--secure -E,--vertical --queries-file=code -V,--version --help
  options --config-file,-C=code
  try clickhouse-client -q 'select 1' => db.read ?
  try clickhouse-client --query 'drop table a' => db.write ?
  try clickhouse-client => db.write ?

bq query
  class db.read
  check statements
  takes sql...
  options --use_legacy_sql? --nouse_legacy_sql --format= --project_id= --location= --dry_run --max_rows,-n=
  options --destination_table=>db.write --replace>db.write --append_table>db.write --quiet,-q --nosync
  try bq query --use_legacy_sql=false 'select 1'
  try bq query 'delete from a where true' => db.write
  try bq query --destination_table=a 'select 1' => db.write

bq ls, bq show, bq head, bq version, bq help, bq wait
  class db.read
  takes text...
  options --format= --project_id= -n,--max_results= --max_rows= -j -d --schema --location= -p -a,--all
  try bq ls
  try bq show a.b
  try bq head -n 5 a.b

bq
  class db.write
  takes text...
  free
  try bq rm -f a.b
  try bq load a.b x.csv
  try bq mk a

kafka-topics, kafka-topics.sh
  class db.write
  takes text...
  options --list<db.read --describe<db.read --create>db.write --delete!>db.write --alter>db.write --topic=
  options --bootstrap-server=host --zookeeper=host --partitions= --replication-factor= --config= --command-config=code
  options --exclude-internal --if-exists --if-not-exists --version<none --help<none
  try kafka-topics --list --bootstrap-server a.internal:9092 => db.read
  try kafka-topics.sh --delete --topic a --bootstrap-server a.internal:9092
  try kafka-topics --list --delete --topic a

kafka-consumer-groups, kafka-consumer-groups.sh
  class db.write
  takes text...
  options --list<db.read --describe<db.read --reset-offsets>db.write --delete!>db.write --delete-offsets>db.write
  options --group= --bootstrap-server=host --all-groups --all-topics --topic= --to-earliest --to-latest
  options --execute>db.write --dry-run --members --state --offsets --verbose --command-config=code --timeout=
  try kafka-consumer-groups --bootstrap-server a.internal:9092 --list => db.read
  try kafka-consumer-groups --reset-offsets --execute --group a

kafka-console-consumer, kafka-console-consumer.sh
  class db.read
  takes text...
  options --topic= --bootstrap-server=host --from-beginning --max-messages= --group=>db.write --partition= --offset=
  options --timeout-ms= --consumer.config=code --property=
  try kafka-console-consumer --topic a --bootstrap-server b.internal:9092 --max-messages 1

kafka-console-producer, kafka-console-producer.sh, kafka-configs, kafka-configs.sh, kafka-acls, kafka-acls.sh,
kafka-delete-records, kafka-reassign-partitions, kafka-producer-perf-test, kcat, kafkacat, nats, rabbitmqadmin,
mosquitto_pub, pulsar-admin, aws-sqs
  class db.write
  takes text...
  free
  try kafka-console-producer --topic a
  try kcat -P -b a -t b

etcdctl get
  class db.read
  check etcd
  takes text...
  options ETCD
  try etcdctl get a --prefix
  try etcdctl get /registry/secrets/a => secrets.read
  try etcdctl get / --prefix --keys-only

etcdctl member list, etcdctl endpoint health, etcdctl endpoint status, etcdctl version, etcdctl alarm list,
etcdctl lease list
  class db.read
  takes text...
  options ETCD
  try etcdctl endpoint health

etcdctl put, etcdctl watch, etcdctl del, etcdctl txn, etcdctl compaction, etcdctl defrag, etcdctl snapshot, etcdctl lock,
etcdctl elect, etcdctl lease grant, etcdctl lease revoke, etcdctl move-leader, etcdctl make-mirror, etcdctl member add,
etcdctl member remove, etcdctl alarm disarm
  class db.write
  takes text...
  free
  try etcdctl put a b
  try etcdctl del a

etcdctl user, etcdctl role, etcdctl auth
  class permissions.change
  takes text...
  free
  try etcdctl user add ana

rabbitmqctl list_queues, rabbitmqctl list_exchanges, rabbitmqctl list_bindings, rabbitmqctl list_connections,
rabbitmqctl list_channels, rabbitmqctl list_consumers, rabbitmqctl list_users, rabbitmqctl list_vhosts,
rabbitmqctl list_permissions, rabbitmqctl status, rabbitmqctl cluster_status, rabbitmqctl version, rabbitmqctl ping,
rabbitmqctl help, rabbitmq-diagnostics status, rabbitmq-diagnostics ping
  class db.read
  takes text...
  options -p= -n= -q --formatter= -t= -l --silent -s
  try rabbitmqctl list_queues
  try rabbitmqctl status

rabbitmqctl
  class permissions.change
  takes text...
  free
  try rabbitmqctl add_user ana x
  try rabbitmqctl eval x
  try rabbitmqctl purge_queue a

mysqlshow
  class db.read
  takes text...
  options -u,--user= -h,--host=host -P,--port= -p,--password? -S,--socket= -i,--status -k,--keys -t,--show-table-type
  options -v,--verbose --count -V,--version --help
  try mysqlshow shop
  try mysqlshow -u root shop users
  try mysqlshow --plugin-dir=. a => db.read ?

mysqladmin ping, mysqladmin status, mysqladmin version, mysqladmin processlist, mysqladmin extended-status,
mysqladmin variables
  class db.read
  options -u,--user= -h,--host=host -P,--port= -p,--password? -S,--socket= -i,--sleep= -c,--count= -v,--verbose
  try mysqladmin ping
  try mysqladmin status -u root
  try mysqladmin ping drop shop => db.read ?
  try mysqladmin drop shop => db.write
`;
