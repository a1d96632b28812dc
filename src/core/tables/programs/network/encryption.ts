export const ENCRYPTION_PROGRAMS = String.raw`
# Certificates, keys and encryption.

group CERTIFICATE
  # A certificate is public, and nothing else of its file is shown or saved.
  options -in= -inform= -out=write -outform= -noout -text -passin= -CAfile= -CApath= -no-CAfile -no-CApath -nameopt=
  options -certopt= -fingerprint -sha1 -sha256 -sha384 -sha512 -md5 -help

group TLS
  options -in=read -inform= -out=write -outform= -noout -text -passin= -CAfile=read -CApath=read -no-CAfile -no-CApath
  options -nameopt= -certopt= -fingerprint -sha1 -sha256 -sha384 -sha512 -md5 -help

openssl version, openssl help, openssl ciphers, openssl list, openssl errstr, openssl prime
  class none
  takes text...
  options -a -v -b -o -f -p -d -V -s -help -tls1_2 -tls1_3 -commands -digest-commands -cipher-commands
  options -public-key-algorithms -digest-algorithms -cipher-algorithms -hex -generate -bits=
  words
  try openssl version -a
  try openssl ciphers -v

openssl rand
  class none
  takes text
  options -hex -base64 -out=write -help
  words
  try openssl rand -hex 32
  try openssl rand -base64 24
  try openssl rand -out x 10 => fs.write
  try openssl rand -engine evil 1 => none ?

openssl passwd
  class none
  takes text...
  options -1 -5 -6 -apr1 -salt= -stdin -in=read -noverify -quiet -table -reverse -help
  words
  try openssl passwd -6 x

openssl x509
  class fs.read
  options CERTIFICATE -dates -startdate -enddate -subject -issuer -serial -hash -subject_hash -issuer_hash -pubkey
  options -modulus -email -ocsp_uri -purpose -alias -checkend= -checkhost= -checkip= -ext= -signkey,-key=read -CA=read
  options -CAkey=read -CAcreateserial>fs.write -CAserial=write -req -days= -extfile=read -extensions= -set_serial=
  options -trustout -new -subj= -force_pubkey=read
  words
  try openssl x509 -in a.crt -noout -text
  try openssl x509 -in a.crt -out b.crt => fs.read fs.write
  try openssl x509 -in a.pem -noout
  try openssl x509 -in a.pem -signkey k.pem => secrets.read fs.read
  try openssl x509 -in a -engine evil => fs.read ?

openssl verify
  class fs.read
  takes text...
  options -CAfile= -CApath= -untrusted= -trusted= -purpose= -verbose -show_chain -partial_chain -crl_check -CRLfile=read
  options -no-CAfile -no-CApath -verify_hostname= -attime= -x509_strict
  words
  try openssl verify -CAfile ca.pem a.crt

openssl dgst, openssl md5, openssl sha1, openssl sha256, openssl sha512
  class fs.read
  takes read...
  options -md5 -sha1 -sha224 -sha256 -sha384 -sha512 -sha3-256 -sha3-512 -blake2b512 -hex -binary -r -c -hmac= -mac=
  options -macopt= -out=write -sign=read -verify=read -prverify=read -signature=read -passin= -sigopt= -list
  words
  try openssl dgst -sha256 a
  try openssl sha256 a
  try openssl dgst -sign k.pem -out s a => fs.read fs.write secrets.read

openssl crl, openssl asn1parse, openssl pkcs7, openssl crl2pkcs7, openssl dhparam, openssl dsaparam, openssl ecparam,
openssl genrsa, openssl genpkey, openssl gendsa, openssl pkey, openssl pkeyparam, openssl rsa, openssl ec, openssl dsa,
openssl pkcs8, openssl pkcs12, openssl req, openssl spkac, openssl nseq
  class fs.read
  takes text...
  options TLS -strparse= -i -dump -genstr= -print_certs -certfile=read -nocrl -check -2 -5 -name= -list_curves -genkey
  options -param_enc= -conv_form= -algorithm= -pkeyopt= -paramfile=read -pubin -pubout -traditional -passout= -aes128
  options -aes256 -aes-256-cbc -des3 -modulus -topk8 -nocrypt -v2= -v1= -export -inkey=read -caname=
  options -nokeys -nocerts -clcerts -cacerts -nodes -noenc -legacy -info -new -newkey= -key=read -keyout=write -x509
  options -days= -subj= -addext= -config=code -extensions= -reqexts= -verify -pubkey -subject -batch -utf8
  options -multivalue-rdn -password= -lastupdate -nextupdate -issuer -hash -crlnumber -F4 -3 -quiet -verbose
  words
  try openssl req -in a.csr -noout -text
  try openssl genrsa -out a.key 2048 => permissions.change fs.read
  try openssl rsa -in a.key -check => secrets.read fs.read
  try openssl pkcs12 -in a.p12 -nodes => secrets.read fs.read
  try openssl req -x509 -newkey rsa:2048 -keyout k -out c -days 1 -nodes => fs.read fs.write
  try openssl asn1parse -in a

openssl storeutl
  class secrets.read
  takes deep
  options TLS -keys -certs -crls -r -subject= -issuer= -serial= -alias=
  words
  try openssl storeutl -keys . => secrets.read fs.read
  try openssl storeutl a.crt => secrets.read fs.read

openssl enc, openssl aes-256-cbc, openssl base64, openssl cms, openssl smime, openssl pkeyutl, openssl rsautl,
openssl kdf, openssl mac, openssl ts
  class fs.read
  takes text...
  options TLS -e -d -a -A -base64 -aes-128-cbc -aes-256-cbc -aes-256-ctr -aes-256-gcm -salt -nosalt -pbkdf2 -iter= -k=
  options -K= -iv= -S= -pass= -kfile=read -md= -p -P -nopad -none -z -encrypt -decrypt -sign -verify -verifyrecover
  options -inkey=read -pubin -certin -sigfile=read -rawin -digest= -pkeyopt= -signer=read -recip=read -content=read
  options -nodetach -binary -cipher -des3
  words
  try openssl base64 -in a
  try openssl enc -aes-256-cbc -pbkdf2 -in a -out b -pass pass:x => fs.read fs.write
  try openssl enc -d -a -in .env => secrets.read fs.read

openssl s_client
  class network.read
  check typed
  takes host
  options -connect=host -servername= -showcerts -brief -CAfile= -CApath= -cert=read -key=read -verify=
  options -verify_return_error -verify_hostname= -tls1 -tls1_1 -tls1_2 -tls1_3 -no_tls1_3 -no_tls1_2 -alpn=
  options -nextprotoneg= -starttls= -status -prexit -quiet -ign_eof -no_ign_eof -cipher= -ciphersuites= -proxy=host
  options -crlf -msg -debug -state -reconnect -noservername -4 -6 -timeout -host=host -port= -nbio -tlsextdebug
  words
  try openssl s_client -connect a.example:443 </dev/null
  try echo | openssl s_client -connect a.example:443 -servername a.example => network.read
  try cat a | openssl s_client -connect a.example:443 => fs.read network.write
  try openssl s_client -connect a.example:443 -keylogfile x </dev/null => network.read ?

openssl s_time, openssl ocsp, openssl cmp, openssl http
  class network.write
  takes text...
  free
  words
  try openssl ocsp -url http://a.example -issuer a

openssl s_server, openssl speed, openssl engine, openssl provider, openssl fipsinstall
  class process.exec
  takes text...
  free
  words
  try openssl s_server -accept 1
  try openssl engine -t x

openssl ca, openssl rehash, openssl srp, openssl tsget
  class permissions.change
  takes text...
  free
  words
  try openssl ca -in a.csr

gpg, gpg2
  class process.exec
  takes file...
  options --list-keys,-k<fs.read --list-secret-keys,-K<fs.read --list-public-keys<fs.read --list-sigs<fs.read
  options --check-sigs<fs.read --fingerprint<fs.read --list-packets<fs.read --show-keys<fs.read --verify<fs.read
  options --print-md=<fs.read --list-config<fs.read --version<none --help<none --export<fs.read
  options --export-secret-keys>secrets.read --export-secret-subkeys>secrets.read --export-ownertrust<fs.read
  options --import>permissions.change --gen-key>permissions.change --full-generate-key>permissions.change
  options --generate-key>permissions.change --quick-generate-key>permissions.change --delete-keys!>permissions.change
  options --delete-secret-keys!>permissions.change --edit-key>permissions.change --sign-key>permissions.change
  options --import-ownertrust>permissions.change --recv-keys>permissions.change --receive-keys>permissions.change
  options --refresh-keys>permissions.change --fetch-keys>permissions.change --search-keys>network.read
  options --send-keys>network.write -o,--output=write -d,--decrypt>secrets.read -e,--encrypt -s,--sign -b,--detach-sign
  options --clear-sign --clearsign -c,--symmetric -r,--recipient= -u,--local-user= -a,--armor --batch --yes --no-tty
  options --quiet,-q --verbose,-v --with-colons --with-fingerprint --keyid-format= --passphrase= --passphrase-file=read
  options --passphrase-fd= --pinentry-mode= --keyserver= --dearmor --enarmor --status-fd= --no-default-keyring
  options --trust-model= --default-key=
  try gpg --list-keys => fs.read
  try gpg --verify a.sig a => fs.read
  try gpg --export-secret-keys => secrets.read
  try gpg --import a.asc => fs.write permissions.change
  try gpg --homedir x --list-keys => fs.read ?
  try gpg --version => none
  try gpg --show-keys a.asc => fs.read
  try gpg --list-keys --import a => fs.write permissions.change

gpgv
  class fs.read
  takes read...
  options --keyring=read -q,--quiet -v,--verbose -o,--output=write
  try gpgv --keyring k a.sig a

gpgconf, gpg-agent, gpg-connect-agent, dirmngr, gpgsm
  class permissions.change
  takes text...
  free
  try gpgconf --kill all

keytool
  class permissions.change
  takes text...
  options -help -protected -noprompt -cacerts -trustcacerts -storepasswd>permissions.change
  options -keypasswd>permissions.change -genseckey>permissions.change -genkey>permissions.change
  options -certreq>permissions.change -exportcert,-export -changealias>permissions.change -keyalg= -keysize= -validity=
  options -dname= -ext= -keypass= -sslserver=host -jarfile=read -list<fs.read -printcert<fs.read -printcertreq<fs.read
  options -printcrl<fs.read -keystore=file -file=file -storepass= -alias= -storetype= -v -rfc
  options -importkeystore>permissions.change -genkeypair>permissions.change -import>permissions.change
  options -importcert>permissions.change -delete>permissions.change -providerpath=code -providerclass=code
  options -provider=code -addprovider=code
  words
  try keytool -list -keystore a => fs.read
  try keytool -delete -alias x -keystore a => fs.write permissions.change
  try keytool -list -providerclass evil => process.exec ?

age, rage
  class fs.write
  check age
  takes read...
  options -r,--recipient= -R,--recipients-file=read -j=program>process.exec -o,--output=write -d,--decrypt>secrets.read
  options -i,--identity=read
  free
  try age -r x -o out a
  try age -r x .env => secrets.read fs.write
  try age -r age1yubikey1qwt a => fs.write ?
  try age -e -i k a => fs.write ?
  try age -d -i k a => fs.read secrets.read
  try age -j ./x a => process.exec fs.read
`;
