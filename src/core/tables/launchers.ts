// Programs that run other programs, by kind: data only. A grant for one of them would be a grant for anything.

/** Programs whose words are another command. */
export const WRAPPERS: ReadonlySet<string> = new Set(
  (
    "sudo doas su pkexec env command builtin exec nohup timeout nice ionice time watch xargs parallel setsid stdbuf " +
    "chroot unshare nsenter flock script strace ltrace gdb busybox toybox npx bunx pnpx uvx pipx npm pnpm yarn bun deno " +
    "uv tsx ts-node node corepack mise asdf direnv nix nix-shell docker podman kubectl ssh start caffeinate systemd-run " +
    "make find fd git-shell entr at batch crontab"
  ).split(" "),
);

/** Programs that start a command among their words, or a text for a shell. The tables do not say where it begins. */
export const RUNS_WORDS: ReadonlySet<string> = new Set(
  (
    "alias strace ltrace gdb lldb valgrind perf prlimit cpulimit catchsegv chroot nsenter unshare setpriv firejail bwrap proot fakeroot " +
    "fakechroot setarch linux32 linux64 taskset chrt choom cgexec daemonize numactl entr watchexec chokidar inotifywait expect autoexpect " +
    "direnv mise rtx asdf nix nix-shell tmux screen dvtm abduco zellij byobu at batch crontab pkexec gosu su su-exec runuser dzdo run0 hyperfine " +
    "xvfb-run dbus-run-session eatmydata tini dumb-init chpst softlimit setuidgid s6-setuidgid s6-envdir envdir sg capsh rbenv pyenv nodenv jenv " +
    "goenv nodemon concurrently npm-run-all run-s run-p dotenv cross-env cross-env-shell env-cmd devbox steam-run aws-vault corepack just task rtk " +
    "memusage heaptrack uftrace rr pwsh powershell cmd wsl start coreutils uutils fc bind compgen hash " +
    "lxc incus multipass vagrant adb schroot distrobox toolbox flatpak-spawn ifne daemon dtach start-stop-daemon hatch chamber envchain sshpass " +
    "systemd-run arch xterm uxterm urxvt rxvt gnome-terminal konsole kitty alacritty foot wezterm terminator tilix xfce4-terminal lxterminal st " +
    "reflex air pm2 forever complete xonsh script keep-one-running retry stress-ng chronic ts unbuffer dbus-launch cage sway xinit startx ssh-agent " +
    "rlwrap faketime torsocks proxychains proxychains4 vi vim nvim view gvim ex ed red emacs fish csh tcsh elvish " +
    "nu run-parts fzf sk ld.so autossh ccache sccache distcc icecc lima"
  ).split(" "),
);

/** Programs of which any word may be a text that they give to a shell. */
export const RUNS_TEXTS: ReadonlySet<string> = new Set(
  "make gmake ansible cargo go bun kubectl docker podman nerdctl ssh cmake ninja bazel meson npm pnpm yarn".split(" "),
);

/** Programs that start what follows a mark in their text: `!` in a pager, `e` in sed, `EXEC:` in socat. */
export const RUNS_MARKED: ReadonlySet<string> = new Set(
  "sed gsed less more most man ftp sftp lftp socat tar gtar bsdtar zip psql mysql mariadb sqlite3 gdb lldb vi vim nvim ex tclsh expect".split(
    " ",
  ),
);

/** Programs that run code from their words or their input. */
export const INTERPRETERS: ReadonlySet<string> = new Set(
  (
    "sh bash zsh dash ksh ash fish csh tcsh elvish nu pwsh powershell cmd wsl eval source . python python2 python3 pypy " +
    "perl ruby irb node nodejs php lua luajit tclsh expect osascript awk gawk mawk sed ed ex vi vim nvim emacs R Rscript julia " +
    "ghci scala groovy jshell java deno bun psql mysql sqlite3 redis-cli mongo mongosh gdb tmux screen"
  ).split(" "),
);

/** Those whose code is not a text for a shell. */
export const LANGUAGES: ReadonlySet<string> = new Set(
  "python python2 python3 pypy perl ruby node nodejs php lua luajit osascript R Rscript julia groovy deno bun tsx ts-node".split(
    " ",
  ),
);

/** Programs that control the machine, or data that cannot be restored. */
export const GRAVE: ReadonlySet<string> = new Set(
  (
    "sudo doas su pkexec rm rmdir unlink shred dd mkfs fdisk parted wipefs shutdown reboot halt poweroff kill killall pkill " +
    "chown chmod chattr chgrp passwd useradd userdel usermod visudo iptables nft mount umount systemctl launchctl crontab"
  ).split(" "),
);

/** Programs that print their help and version before they read anything of a project. */
export const TELLING: ReadonlySet<string> = new Set(
  (
    "docker docker-compose podman podman-compose nerdctl npm npx pip pipx uv cargo rustc rustup go terraform tofu terragrunt tfsec infracost " +
    "terraform-docs pulumi ansible ansible-playbook minikube kind hub 7z 7za 7zr 7zz tcpdump tshark brew apt apt-get dnf yum pacman apk snap flatpak " +
    "systemd-run screen ffmpeg make gmake cmake ninja gcc g++ clang ld as objcopy strip gdb lldb strace ltrace perf ssh-agent at flyctl fly heroku"
  ).split(" "),
);

/** `/usr/bin/python3.11` and `git.exe` in the spelling of the tables. */
export function programOf(word: string): string {
  const name = word.slice(word.lastIndexOf("/") + 1).replace(/\.(exe|cmd|bat|com)$/i, "");
  return /^(python|pip|perl|ruby|node|php|lua)[\d.]+$/.test(name) ? name.replace(/[\d.]+$/, "") : name;
}
