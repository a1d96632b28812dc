export const GO_PROGRAMS = String.raw`
# Go: the compiler and the programs around it. Tests and generators run code of the project.

group GO
  options -C=folder -m -u -f= -json -deps -e -test -find -versions -retracted -mod= -modfile=read -tags=
  options -compiled>process.exec -export>process.exec -race -n -v -x>process.exec -changed -reuse= -buildvcs=
  options -toolexec=program>process.exec -overlay=code -exec=program>process.exec -work>process.exec -a>process.exec

go version, go help
  class fs.read
  takes text...
  options -m -v
  words
  try go version
  try go help build

go env
  class fs.read
  takes text...
  options -json -changed -w>permissions.change -u>permissions.change
  words
  try go env GOPATH
  try go env -w GOFLAGS=x => permissions.change
  try go env -u GOFLAGS => permissions.change

go doc
  class fs.read
  takes text...
  options -all -c -cmd -short -src -u -ex
  words
  try go doc fmt
  try go doc -http => fs.read ?

go list, go mod graph, go mod why, go mod verify
  class network.read
  check gomod
  takes text...
  options GO
  words
  obeys go
  try go list ./...
  try go list -m all
  try go list -toolexec evil ./... => process.exec
  try go list -export ./... => process.exec
  try go mod graph
  try go list -mod=readonly ./...
  try go list -mod=mod ./... => network.read deploy.write

# go vet runs nothing of what it compiles, but it gives C code to a compiler that shows lines of the included files.
go vet
  class network.read
  takes text...
  options -C=folder -json -n -v -tags= -c= -vettool=program>process.exec -toolexec=program>process.exec -x>process.exec
  options -overlay=code
  words
  obeys go cgo
  try go vet ./...
  try go vet -tags a ./b
  try go vet -vettool=./x ./... => process.exec
  try go vet -fix ./... => network.read ?

go mod tidy, go mod download, go mod vendor, go mod init, go mod edit
  class process.exec
  takes text...
  free
  words
  try go mod tidy

go
  class process.exec
  takes text...
  free
  words
  try go build ./...
  try go test ./... -run X
  try go install a@latest
  try go run .

gofmt, goimports, gofumpt
  class fs.read
  takes file...
  options -l -d -e -s -w>fs.write -r= -local= -cpuprofile=write -extra -lang=
  try gofmt -l .
  try gofmt -w a.go => fs.write
  try gofmt -d a.go
  try gofmt -lw a.go => fs.write

golangci-lint, staticcheck, govulncheck, gotestsum, ginkgo, dlv, air, goreleaser, ko, wire, mockgen, buf, protoc, sqlc,
templ
  class process.exec
  check alone
  takes text...
  options --version<none -h,--help<none
  free
  try golangci-lint run
  try golangci-lint --version => none
  try protoc --go_out=. a.proto
`;
