export const PASSWORD_PROGRAMS = String.raw`
# Password managers and stores of secrets.

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
