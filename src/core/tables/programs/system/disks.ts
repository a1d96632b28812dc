export const DISK_PROGRAMS = String.raw`
# Disks and the kernel.

scutil
  class permissions.change
  options --get=<none --dns<none --proxy<none --nwi<none
  try scutil --get ComputerName => none
  try scutil --set ComputerName a => permissions.change ?
  try scutil

mount, swapon
  class permissions.change
  check bare
  takes text...
  options -l<none -s,--show<none -V,--version<none
  free
  reversible no
  try mount => none
  try mount -l => none
  try mount /dev/sdb1 /mnt
  try mount -l /dev/sdb1 /mnt
  try mount -a
  try swapon --show => none
  try swapon /dev/sdb

umount, losetup, swapoff, mkswap, cryptsetup, mdadm, lvcreate, lvremove, lvextend, lvresize, vgcreate, vgremove,
pvcreate, pvremove, zfs, zpool, btrfs, fusermount, udisksctl, diskutil, hdiutil, resize2fs, tune2fs, e2fsck, fsck,
xfs_repair, hdparm, nvme, smartctl, eject
  class permissions.change
  takes text...
  free
  reversible no
  try umount /mnt
  try zfs destroy a
  try swapoff -a

diskutil list, diskutil info, zfs list, zfs get, zpool list, btrfs version, hdiutil info
  class none
  takes text...
  free
  try diskutil list
  try zpool list

zpool status
  class none
  takes text...
  options -v -x -L -P -D -T= -i -s -t -g -p -e -j
  try zpool status -v
  try zpool status -c ./x => none ?

mkfs, mkfs.ext2, mkfs.ext3, mkfs.ext4, mkfs.xfs, mkfs.btrfs, mkfs.vfat, mkfs.fat, mkfs.ntfs, mkfs.exfat, mkfs.f2fs,
mkfs.minix, mke2fs, mkdosfs, newfs, cfdisk, gdisk, sgdisk, partprobe, wipefs, blkdiscard, badblocks, dcfldd, ddrescue,
grub-install, efibootmgr
  class fs.delete
  takes delete...
  options --version,--help<none
  free
  reversible no
  try mkfs.ext4 /dev/sdb1
  try mkfs -t ext4 /dev/sda
  try wipefs -a /dev/sda
  try cfdisk /dev/sda

fdisk, sfdisk, parted
  class fs.delete
  check alone
  takes delete...
  options -l,--list<none -V,--version<none -v<none --help<none
  free
  reversible no
  try fdisk -l => none
  try parted -l => none
  try parted /dev/sda mklabel gpt
  try fdisk /dev/sda
  try sfdisk --delete /dev/sda

sysctl
  class none
  check sysctl
  takes text...
  options -a,-A,-X,--all -n,--values -N,--names -e,--ignore -b,--binary -q,--quiet -d -r,--pattern=
  options -w,--write>permissions.change -p,--load?>permissions.change -f>permissions.change --system>permissions.change
  options -V,--version,-h,--help
  try sysctl -a
  try sysctl -n hw.ncpu
  try sysctl -w a=1 => permissions.change
  try sysctl net.ipv4.ip_forward=1 => permissions.change
  try sysctl -p => permissions.change
  try sysctl -n /../../etc/shadow => none ?

modprobe, insmod, rmmod, depmod, kmod, kextload, kextunload, dkms, kldload
  class permissions.change
  takes text...
  free
  try modprobe a
  try insmod a.ko
  try rmmod a

lsmod, modinfo, kextstat
  class none
  takes text...
  free
  try lsmod
  try modinfo ext4
`;
