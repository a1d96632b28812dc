export const DESKTOP_PROGRAMS = String.raw`
# The desktop, its settings and clipboard, and messages to people.

xdg-open, open, gnome-open, kde-open, wslview, start, explorer, xdg-mime, xdg-settings, automator, shortcuts, xdotool,
wmctrl, ydotool, cliclick, screencapture, scrot, import, terminal-notifier, wine, gtk-launch, dbus-send, gdbus, qdbus,
gsettings, dconf, xrandr, xset, setxkbmap
  class process.exec
  takes text...
  free
  try open a.html
  try xdg-open https://example.com
  try xdotool key Return

notify-send, say
  class none
  takes text...
  options -u,--urgency= -t,--expire-time= -i,--icon= -c,--category= -a,--app-name= -h,--hint= -v,--voice= -r,--rate=
  options -o,--output-file=write -f,--input-file=read
  try notify-send done
  try say -v Anna done
  try say -f .env => secrets.read
  try notify-send -A a=b c => none ?

gsettings get, gsettings list-keys, gsettings list-schemas, gsettings list-recursively, dconf read, dconf list,
dconf dump, xdg-mime query, xdg-settings get
  class none
  takes text...
  try gsettings get a b
  try xdg-mime query default text/html

defaults
  class permissions.change
  takes text...
  free
  try defaults write com.example.a b 1
  try defaults delete com.example.a

defaults read, defaults read-type, defaults domains, defaults find, defaults help
  class fs.read
  takes text...
  try defaults read com.example.a
  try defaults domains

plutil
  class fs.write
  check modes
  takes file...
  options -p,-lint,-help<fs.read -o=write -e= -convert=>fs.write -insert=>fs.write -replace=>fs.write -remove=>fs.write
  options -create=>fs.write
  free
  words
  try plutil -p a.plist => fs.read
  try plutil -convert xml1 a.plist => fs.write
  try plutil -convert json -e json package.plist => deploy.write fs.write

pbcopy, xclip, xsel, wl-copy, clip, clip.exe
  class process.exec
  takes read...
  free
  try pbcopy
  try xclip -selection clipboard => fs.read process.exec

pbpaste, wl-paste
  class secrets.read
  takes text...
  free
  try pbpaste
  try wl-paste -n

logger, wall, write, mesg, talk
  class message.send
  takes text...
  options -f,--file=read
  free
  try logger hi
  try wall 'going down'
  try logger -f .env => secrets.read message.send

mail, mailx, s-nail, sendmail, msmtp, mutt, neomutt, swaks, ssmtp, exim, postfix, himalaya, nail
  class message.send
  takes text...
  options -a,-A=read
  free
  try mail -s hi ana@example.com
  try mutt -a .env -s x ana@example.com => secrets.read message.send
  try sendmail -t

lp, lpr
  class message.send
  takes read...
  free
  try lp a.pdf => fs.read message.send
`;
