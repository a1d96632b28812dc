import type { EffectClass } from "../effect.ts";

// Effects of programs without a row of their own, because they run code of the project: for rules that deny a class. Nothing
// else changes for them. `*` is any word, and options between the words do not count.

const ROWS: readonly (readonly [EffectClass, string])[] = [
  [
    "deploy.write",
    "terragrunt apply|terragrunt destroy|terragrunt run-all|helmfile apply|helmfile sync|helmfile destroy",
  ],
  [
    "deploy.write",
    "argocd app *|flux reconcile|skaffold run|skaffold deploy|skaffold dev|doctl *|eksctl create|eksctl delete",
  ],
  [
    "deploy.write",
    "eksctl upgrade|kops update|kops delete|cap *|mina deploy|kamal deploy|dokku *|packer build|ko apply",
  ],
  ["deploy.write", "crane push|crane copy|skopeo copy|skopeo sync|oras push|docker buildx build --push|sbt publish"],
  ["deploy.write", "mix hex.publish|dart pub publish|flutter pub publish|pod trunk push|vsce publish|ovsx publish"],
  [
    "deploy.write",
    "goreleaser release|electron-builder --publish|fastlane *|expo publish|anaconda upload|luarocks upload",
  ],
  ["deploy.write", "cpan-upload|brew bump-formula-pr|snapcraft upload|gradlew publish|twine upload|lerna publish"],
  ["deploy.write", "semantic-release|release-it|changeset publish|serverless deploy|sls deploy|cdk deploy|cdk destroy"],
  [
    "db.write",
    "prisma migrate|prisma db|sequelize db:*|sequelize-cli db:*|knex migrate:*|knex seed:*|typeorm migration:*",
  ],
  ["db.write", "typeorm schema:*|drizzle-kit push|drizzle-kit migrate|rails db:*|rake db:*|python manage.py migrate"],
  [
    "db.write",
    "python manage.py flush|python manage.py loaddata|django-admin migrate|django-admin flush|alembic upgrade",
  ],
  ["db.write", "alembic downgrade|flask db upgrade|flask db downgrade|sqitch deploy|sqitch revert|hasura migrate"],
  ["db.write", "php artisan migrate*|php artisan db:*|sea-orm-cli migrate|mix ecto.*|dbt run|dbt seed|dbt build"],
  ["db.write", "psql -f|psql -1f|psql --file|sqlite3 .read*|sqlite3 .import*|sqlite3 .restore*|redis-cli --pipe"],
  [
    "git.write",
    "jj git|jj commit|jj describe|jj new|jj squash|jj rebase|gix clone|hub *|git-crypt unlock|git svn dcommit",
  ],
  [
    "git.write",
    "git p4 submit|git subtree push|git send-pack|git receive-pack|git flow|git town|git absorb|git filter-repo",
  ],
  ["git.write", "git filter-branch|npm version|yarn version|pnpm version|semantic-release|release-it|lerna version"],
  ["git.write", "lerna publish|changeset version|standard-version|bump2version|bumpversion|cargo release|cz bump"],
  ["network.write", "rclone copy|rclone sync|rclone move|rclone copyto|s3cmd put|s3cmd sync|mc cp|mc mirror|mc put"],
  [
    "network.write",
    "b2 upload-file|b2 sync|croc send|wormhole send|magic-wormhole send|ffsend upload|pastebinit|ngrok *",
  ],
  [
    "network.write",
    "localtunnel|lt|cloudflared tunnel|restic backup|borg create|curlie POST|curlie PUT|duplicity|socat *",
  ],
  [
    "fs.delete",
    "rimraf|del-cli|gio trash|scrub|cmake -E rm|cmake -E remove|cmake -E remove_directory|tmpreaper|tmpwatch",
  ],
  [
    "fs.delete",
    "python -m venv --clear|uv venv --clear|virtualenv --clear|cargo clean|mvn clean|gradle clean|gradlew clean|git clean",
  ],
  [
    "message.send",
    "slack chat|signal-cli send|telegram-send|twilio *|sendxmpp|ntfy publish|ntfy pub|apprise|wall|write",
  ],
  ["schedule.write", "schtasks *"],
  ["secrets.read", "kwallet-query|certutil -K|docker secret inspect|secret-tool lookup"],
];

const BY_PROGRAM = new Map<string, { class: EffectClass; words: readonly string[] }[]>();
for (const [kind, texts] of ROWS) {
  for (const text of texts.split("|")) {
    const [program = "", ...words] = text.split(" ");
    BY_PROGRAM.set(program, [...(BY_PROGRAM.get(program) ?? []), { class: kind, words }]);
  }
}

/** The classes that a command may have in addition to its own. */
export function classesBesides([program = "", ...words]: readonly string[]): readonly EffectClass[] {
  const rows = BY_PROGRAM.get(program) ?? [];
  return [...new Set(rows.filter((row) => follow(row.words, words)).map((row) => row.class))];
}

/** Whether the words occur in order, with options between; before them at most one word that is the value of an option. */
function follow(wanted: readonly string[], words: readonly string[]): boolean {
  let at = 0;
  let plain = 0;
  for (const word of words) {
    const next = wanted[at];
    if (next === undefined || (at === 0 && plain > 1)) break;
    if (!word.startsWith("-")) plain++;
    if (next.endsWith("*") ? !word.startsWith("-") && word.startsWith(next.slice(0, -1)) : next === word) at++;
  }
  return at === wanted.length;
}
