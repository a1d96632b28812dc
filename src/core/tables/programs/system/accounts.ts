export const ACCOUNT_PROGRAMS = String.raw`
# Permissions of files, user accounts, and acting as another user.

chmod, gchmod
  class permissions.change
  check chmod
  takes text!--reference write...
  options -R,--recursive* -v,--verbose -c,--changes -f,--silent,--quiet --reference=read --preserve-root
  options --no-preserve-root -h
  try chmod 600 a => fs.write
  try chmod 755 a => fs.write
  try chmod 000 a => permissions.change fs.write
  try chmod -R 777 . => permissions.change fs.write
  try chmod 777 a => permissions.change fs.write
  try chmod 4755 a => permissions.change fs.write
  try chmod +x run.sh => fs.write
  try chmod u+x a b => fs.write
  try chmod +x .git/hooks/pre-commit => permissions.change fs.write
  try chmod u+s a => permissions.change fs.write
  try chmod +x $A => fs.write ?

chown, chgrp, gchown, gchgrp
  class permissions.change
  takes text!--reference write...
  options -R,--recursive* --reference=read --from=
  free
  try chown ana a => permissions.change fs.write
  try chown -R ana:ana src => permissions.change fs.write
  try chgrp staff a => permissions.change fs.write

chattr, setfacl, setcap, setfattr, chflags, chcon, restorecon, semanage, setsebool, setenforce, aa-enforce, aa-disable,
apparmor_parser, auditctl, capsh, icacls, takeown
  class permissions.change
  takes text...
  free
  try chattr +i a
  try setfacl -m u:ana:rw a
  try setcap cap_net_raw+ep a
  try setenforce 0

xattr
  class fs.read
  takes read...
  options -l -v -x -s -r -p= -w=>permissions.change -d=>permissions.change -c>permissions.change -h,--help<none
  try xattr -l a
  try xattr a
  try xattr -p com.a a
  try xattr -d com.apple.quarantine a => permissions.change fs.read
  try xattr -cr a => permissions.change fs.read
  try xattr -rd com.apple.quarantine a => permissions.change fs.read
  try xattr -w a b c => permissions.change fs.read

getfacl, getcap, getfattr, lsattr, getenforce, sestatus, aa-status
  class fs.read
  takes read...
  free
  try getfacl a
  try lsattr a
  try getenforce

passwd, chpasswd, useradd, userdel, usermod, groupadd, groupdel, groupmod, gpasswd, adduser, deluser, addgroup, delgroup,
chage, chsh, chfn, vipw, vigr, newgrp, sg, newusers, pwck, faillock, pam-auth-update, sudoedit
  class permissions.change
  takes text...
  free
  try passwd ana
  try useradd -m ben
  try usermod -aG sudo ben

su, runuser
  class permissions.change
  takes text...
  options -c,--command,--session-command=line -s,--shell=program -l,--login -m,-p,--preserve-environment -g,--group=
  options -G,--supp-group= -u,--user= -P,--pty -w,--whitelist-environment= -f,--fast
  try su -
  try su ana -c 'rm a' => fs.delete permissions.change
  try su -s ./x ana => process.exec permissions.change

pkexec, gosu, su-exec, dzdo, run0
  class permissions.change
  takes text...
  free
  try pkexec rm a
  try gosu ana ls
`;
