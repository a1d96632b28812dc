export const JAVA_PROGRAMS = String.raw`
# Java, Kotlin, Scala and .NET: compilers, build programs, and programs that examine a running JVM.

java, javaw, scala, kotlin, kotlinc
  class process.exec
  check alone
  takes text...
  options -version,--version<none -help,--help<none
  free
  words
  try java -version => none
  try java -jar a.jar
  try java -jar a.jar -version

mvn, mvnd
  class process.exec
  takes text...
  free
  try mvn -v
  try mvn test

gradle
  class process.exec
  check alone
  takes text...
  options -v,--version<none -h,--help<none
  free
  try gradle --version => none
  try gradle -v test
  try gradle build

javac, jshell, jar, javadoc, jlink, jpackage, jstack, jmap, ant, msbuild, nuget, csc, mono
  class process.exec
  check alone
  takes text...
  options -version,--version<none --help<none
  free
  words
  try mvn test
  try gradle build
  try javac -version => none
  try mvn --version test

jcmd
  class process.exec
  check alone
  takes text...
  options -l<none -h<none -help,--help<none
  free
  words
  try jcmd -l => none
  try jcmd 12 VM.version

mvnw, ./mvnw, gradlew, ./gradlew, bazel, bazelisk, buck, buck2, pants, sbtn, mill, ./configure, waf
  class process.exec
  takes text...
  free
  try ./gradlew test
  try ./gradlew --version
  try bazel build //...

dotnet
  class process.exec
  check alone
  takes text...
  options --version<none --help<none --info<none --list-sdks<none --list-runtimes<none
  free
  obeys dotnet
  try dotnet build
  try dotnet --version => none
  try dotnet --list-sdks => none
  try dotnet a.dll --version

dotnet nuget push, nuget push, mvn deploy, gradle publish
  class deploy.write
  takes text...
  free
  words
  try dotnet nuget push a.nupkg
  try mvn deploy

javap
  class fs.read
  takes read...
  options -c -p,-private -v,-verbose -s -l -public -protected -package -constants -version,--version -help,--help
  words
  atfile
  try javap -c Foo.class
  try javap -J-x Foo => fs.read ?

jps, jstat
  class none
  check jvm
  takes text...
  options -l -m -v -q -lv -lm -ml -lmv -mlv -gc -gcutil -gccapacity -class -compiler -options -h= -t
  words
  try jps -l
  try jstat -gc 1234
  try jps evil.example:1099 => network.read
  try jstat -gc rmi://1@evil.example => network.read
  try jstat -gc file:///a => none ?

jar tf, jar tvf, jar -tf, ar t, ar tv, ar p
  class fs.read
  check archive
  takes read text...
  atfile
  try jar tf app.jar
  try ar t a.a
  try jar xf a.jar => process.exec
  try jar tf @a => fs.read ?
`;
