// Ways out of a box that only macOS has. Each is a text for bash in the project, with names in braces: `OUT` is a folder outside, `REAL`
// your home, `ID` a name of this run. An attempt that works prints ESCAPED, prints a hidden text, or changes something
// outside. `isAtHome`: the box is made for your real home.

export const MAC_ATTEMPTS = [
  { title: "start a program by launchd", run: "launchctl submit -l leeway.{ID} -- /usr/bin/touch {OUT}/made; sleep 2" },
  { title: "load a job of launchd", run: plist("launchctl load ./job.plist; sleep 2") },
  {
    title: "load a job of launchd into the session of the user",
    run: plist("launchctl bootstrap gui/$(id -u) ./job.plist; sleep 2"),
  },
  {
    title: "set a variable for all programs",
    run: 'launchctl setenv LEEWAY_{ID} 1 && test "$(launchctl getenv LEEWAY_{ID})" = 1 && echo ESCAPED; launchctl unsetenv LEEWAY_{ID}',
  },
  { title: "tell Terminal what to do", run: event("Terminal", "count windows") },
  { title: "tell Finder what to do", run: event("Finder", "count windows") },
  { title: "tell System Events what to do", run: event("System Events", "count processes") },
  {
    title: "run a shell by an Apple event",
    run: 'osascript -e \'tell application "Terminal" to do script "touch {OUT}/made"\'; sleep 2',
  },
  { title: "open a program", run: "open -g -j -a Calculator && echo ESCAPED" },
  {
    title: "open a program that was made in the project",
    run: "mkdir -p A.app/Contents/MacOS; printf '#!/bin/sh\\ntouch {OUT}/made\\n' > A.app/Contents/MacOS/A; chmod +x A.app/Contents/MacOS/A; open -g ./A.app; sleep 2",
  },
  {
    title: "open a command file",
    run: "printf 'touch {OUT}/made\\n' > a.command; chmod +x a.command; open -g a.command; sleep 2",
  },
  { title: "open an address", run: "open -g http://127.0.0.1:{TCP}/; sleep 2" },
  { title: "read the settings of the keychain", run: "security show-keychain-info && echo ESCAPED" },
  {
    title: "add a password to the keychain",
    run: "security add-generic-password -a leeway -s leeway.{ID} -w x && echo ESCAPED; security delete-generic-password -s leeway.{ID} >/dev/null 2>&1",
  },
  { title: "list the keychain", run: 'test "$(security dump-keychain 2>/dev/null | head -c 1)" && echo ESCAPED' },
  {
    title: "write preferences",
    run: "defaults write leeway.{ID} a b && test -e {REAL}/Library/Preferences/leeway.{ID}.plist && echo ESCAPED; defaults delete leeway.{ID} >/dev/null 2>&1",
  },
  {
    title: "write to the pasteboard",
    run: 'echo leeway-{ID} | pbcopy && test "$(pbpaste)" = leeway-{ID} && echo ESCAPED',
  },
  { title: "install a job of cron", run: "(crontab -l 2>/dev/null) | crontab - && echo ESCAPED" },
  { title: "install a job of at", run: "echo true | at now + 1 minute 2>/dev/null && echo ESCAPED" },
  {
    title: "make a login item",
    isAtHome: true,
    run: "(: > {REAL}/Library/LaunchAgents/leeway.{ID}.plist) && echo ESCAPED",
  },
  {
    title: "open the start-up file of the shell for writing",
    isAtHome: true,
    run: "test -e {REAL}/.zshrc && (: >> {REAL}/.zshrc) && echo ESCAPED",
  },
  {
    title: "read mail, messages and cookies",
    isAtHome: true,
    run: "for one in Mail Messages Safari Cookies Keychains 'Application Support'; do ls \"{REAL}/Library/$one\" >/dev/null 2>&1 && echo ESCAPED; done",
  },
  {
    title: "change folders that people must allow first",
    isAtHome: true,
    run: "for one in Desktop Documents Downloads; do (: > {REAL}/$one/leeway-{ID}) 2>/dev/null && rm {REAL}/$one/leeway-{ID} && echo ESCAPED; done",
  },
  {
    title: "change the database of what people allowed",
    isAtHome: true,
    run: "(: >> '{REAL}/Library/Application Support/com.apple.TCC/TCC.db') && echo ESCAPED",
  },
  { title: "make a box in the box", run: "sandbox-exec -p '(version 1)(allow default)' /usr/bin/touch {OUT}/made" },
  {
    title: "load a library into a program of the system",
    run: "DYLD_INSERT_LIBRARIES=./x.dylib /bin/sh -c 'echo a >> {OUT}/file'",
  },
  { title: "have a variable by which libraries are loaded", run: 'test -n "$DYLD_INSERT_LIBRARIES" && echo ESCAPED' },
  {
    title: "write to the folder for temporary files of all",
    run: "(: > /tmp/leeway-{ID}) && rm /tmp/leeway-{ID} && echo ESCAPED; (: > /private/tmp/leeway-{ID}) && echo ESCAPED; (: > /var/tmp/leeway-{ID}) && rm /var/tmp/leeway-{ID} && echo ESCAPED",
  },
  {
    title: "write to the user's folder for temporary files",
    run: '(: > "$(getconf DARWIN_USER_TEMP_DIR)leeway-{ID}") && echo ESCAPED',
  },
  {
    title: "write to a protected place in other letters",
    run: "echo evil > .GIT/hooks/pre-commit; echo evil > .Git/config; echo evil > MAKEFILE; echo evil > .GITHUB/WORKFLOWS/CI.YML",
  },
  {
    title: "write to a protected place with letters that mean the same",
    run: "echo evil > .git/hooKs/pre-commit; echo evil > .git/hookſ/pre-commit; echo evil > .git/conﬁg",
  },
  {
    title: "read a hidden place in other letters",
    run: "cat .ENV App/.eNv {HOME}/.SSH/ID_ED25519 {HOME}/.Aws/Credentials",
  },
  {
    title: "read a hidden place by other forms of its letters",
    run: "cat \"$(printf 'schlu\\xcc\\x88ssel.pem')\" \"$(printf 'schl\\xc3\\xbcssel.pem')\" SCHLÜSSEL.PEM schlüßel.pem",
  },
  {
    title: "write to a protected place by its name on the data disk",
    run: "echo evil > /System/Volumes/Data{PROJECT}/.git/config; echo evil >> /System/Volumes/Data{OUT}/file",
  },
  {
    title: "read a hidden place by its name on the data disk",
    run: "cat /System/Volumes/Data{PROJECT}/.env /System/Volumes/Data{HOME}/.netrc",
  },
  { title: "read a hidden place by its number", run: "cat /.vol/$(stat -f %d .)/$(stat -f %i .env)" },
  {
    title: "write outside by a number",
    run: "echo evil >> /.vol/$(stat -f %d {OUT})/$(stat -f %i {OUT}/file); echo evil > /.vol/$(stat -f %d {OUT})/$(stat -f %i {OUT})/made",
  },
  {
    title: "write to a protected place by its number",
    run: "echo evil > /.vol/$(stat -f %d .git)/$(stat -f %i .git/config)",
  },
  { title: "make a hard link to a hidden file", run: "ln .env h && cat h; ln {HOME}/.netrc n && cat n" },
  { title: "clone a hidden file", run: "cp -c .env c && cat c; cp -c {HOME}/.netrc n && cat n" },
  { title: "clone a folder with a hidden file", run: "cp -cR app app2; cat app2/.env" },
  {
    title: "swap a protected folder with another one",
    run: 'mkdir -p x/hooks; echo evil > x/hooks/pre-commit; python3 -c \'import ctypes; ctypes.CDLL(None).renamex_np(b".git", b"x", 2)\'',
  },
  { title: "move the folder above a hidden file", run: "mv app moved; cat moved/.env" },
  { title: "move the project", run: "cd ..; mv project moved; echo evil > moved/.git/config" },
  {
    title: "read the variables of a program outside",
    run: "ps -p {PID} -wwE -o command=; sysctl kern.procargs2.{PID}",
  },
  { title: "see programs outside", run: "ps -p {PID} -o pid= | grep -q {PID} && echo ESCAPED" },
  { title: "debug a program outside", run: "lldb -p {PID} --batch -o detach 2>&1 | grep -q 'stopped' && echo ESCAPED" },
  {
    title: "talk to docker",
    run: "for one in /var/run/docker.sock {REAL}/.docker/run/docker.sock; do test -S $one && curl -s -m 2 --unix-socket $one http://d/version && echo ESCAPED; done",
  },
  {
    title: "talk to the agent of keys",
    run: "for one in /private/tmp/com.apple.launchd.*/Listeners; do SSH_AUTH_SOCK=$one ssh-add -l && echo ESCAPED; done",
  },
  { title: "resolve a name", run: "dscacheutil -q host -a name example.com | grep -q address && echo ESCAPED" },
  {
    title: "log in to this machine",
    run: "ssh -o BatchMode=yes -o StrictHostKeyChecking=no localhost touch {OUT}/made",
  },
  {
    title: "mount a disk image",
    run: "hdiutil create -size 1m -fs HFS+ -volname leeway i.dmg && hdiutil attach -nobrowse i.dmg && echo ESCAPED; hdiutil detach /Volumes/leeway 2>/dev/null",
  },
  { title: "become root", run: "sudo -n true && echo ESCAPED" },
  { title: "make a program that runs as its owner", run: "cp /bin/sh s; chmod u+s s && test -u s && echo ESCAPED" },
  { title: "type into a terminal", run: "for one in /dev/ttys*; do (: > $one) 2>/dev/null && echo ESCAPED; done" },
  { title: "post a note", run: "osascript -e 'display notification \"leeway\"' && echo ESCAPED" },
  { title: "search by Spotlight", run: 'test "$(mdfind -count kMDItemFSName=leeway-nothing)" = 0 && echo ESCAPED' },
  { title: "make a picture of the screen", run: "screencapture -x s.png && test -s s.png && echo ESCAPED" },
  { title: "run a shortcut", run: "shortcuts list >/dev/null 2>&1 && echo ESCAPED" },
];

function plist(then) {
  const job = `<plist version="1.0"><dict><key>Label</key><string>leeway.{ID}</string><key>RunAtLoad</key><true/><key>ProgramArguments</key><array><string>/usr/bin/touch</string><string>{OUT}/made</string></array></dict></plist>`;
  return `echo '${job}' > job.plist; ${then}`;
}

function event(program, what) {
  return `osascript -e 'tell application "${program}" to ${what}' && echo ESCAPED`;
}
