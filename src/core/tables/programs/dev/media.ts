export const MEDIA_PROGRAMS = String.raw`
# Programs for pictures, sound, video and documents.

ffmpeg, ffplay, sox, HandBrakeCLI, yt-dlp, youtube-dl, gs, ghostscript, inkscape, blender, latex, pdflatex, xelatex,
lualatex, tectonic, typst, soffice, libreoffice, wkhtmltopdf, chromium, google-chrome, firefox, magick, convert, mogrify,
montage, composite, plantuml, mmdc, gnuplot, asciidoctor
  class process.exec
  check alone
  takes text...
  options -version,--version<none --help<none
  free
  words
  try ffmpeg -i a.mp4 b.mp3
  try ffmpeg -version => none
  try convert a.png b.jpg
  try yt-dlp --exec evil https://a.example

dot, neato, circo, fdp, sfdp, twopi
  class process.exec
  check alone
  takes text...
  options -V<none --version<none --help<none
  free
  try dot -V => none
  try dot -Tpng a.dot -o b.png
  try dot -V a.dot

sips
  class fs.read
  check media
  takes read...
  options -g,--getProperty= -1,--oneLine -h,--help -H,--helpProperties -v
  try sips -g pixelWidth -g pixelHeight a.png
  try sips -Z 100 a.png => fs.read ?
  try sips --out b a.png => fs.read ?

textutil
  class fs.read
  takes read...
  options -info -encoding= -format=
  words
  try textutil -info a.docx
  try textutil -convert txt a.docx => fs.read ?

ffprobe
  class fs.read
  check media
  takes read...
  options -v,-loglevel= -hide_banner -show_streams -show_format -show_entries= -show_frames -show_packets -show_chapters
  options -show_programs -show_error -select_streams= -of,-print_format,-output_format= -pretty -count_frames
  options -count_packets -sexagesimal -unit -prefix -i=read -f= -version<none -h<none -show_data -show_private_data
  words
  try ffprobe -v error -show_format a.mp4
  try ffprobe -i a.mp4
  try ffprobe -f mp4 a
  try ffprobe -f lavfi ladspa=file=./x.so => fs.read ?
  try ffprobe a.vpy => fs.read ?
  try ffprobe http://a.example/x => fs.read ?
  try ffprobe -version => none

identify, exiftool, mediainfo, pdfinfo, pdffonts, pngcheck, jpeginfo, webpinfo, tiffinfo, soxi, mkvinfo
  class fs.read
  check media
  takes read...
  options -verbose -ping -quiet -format= -json -j -s -S -G -G0 -G1 -a -u -g -n -b -r -listx -ver -v
  words
  try identify a.png
  try exiftool a.jpg
  try identify msl:x => fs.read ?
  try exiftool -config evil a.jpg => fs.read ?
  try pdfinfo a.pdf

pdftotext
  class fs.read
  check beside
  takes read write?
  options -layout -raw -nopgbrk -enc= -f= -l= -q -htmlmeta -bbox -x= -y= -W= -H= -r= -table -opw= -upw= -fixed=
  words
  try pdftotext a.pdf -
  try pdftotext a.pdf b.txt => fs.read fs.write
  try pdftotext a.pdf => fs.read fs.write
  try pdftotext CMakeLists.pdf => fs.read deploy.write

pandoc
  class fs.read
  check pandoc
  takes read...
  options -o,--output=write -f,-r,--from,--read= -t,-w,--to,--write= -s,--standalone --toc,--table-of-contents
  options --toc-depth= -N,--number-sections --wrap= --columns= -V,--variable= -M,--metadata= --metadata-file=read
  options --template=read -H,--include-in-header=read -B,--include-before-body=read -A,--include-after-body=read
  options --extract-media=write --filter,-F=program>process.exec -L,--lua-filter=code --pdf-engine=program>process.exec
  options --defaults,-d=code --data-dir=code --syntax-definition=read --highlight-style= --mathjax? --katex?
  options --self-contained --embed-resources --reference-doc=read --csl=read --bibliography=read -C,--citeproc
  options --shift-heading-level-by= --atx-headers --markdown-headings= --eol= --tab-stop= -p --ascii --no-highlight
  options -q,--quiet --verbose --list-input-formats<none --list-output-formats<none -v,--version<none -h,--help<none
  try pandoc a.md
  try pandoc a.md -o b.html => fs.read fs.write
  try pandoc -t evil.lua a.md => fs.read ?
  try pandoc --filter evil a.md => process.exec fs.read
  try pandoc https://a.example => fs.read ?
`;
