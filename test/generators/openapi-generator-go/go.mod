module github.com/example/touchline

go 1.23

require (
	github.com/stretchr/testify v1.12.1
	gopkg.in/validator.v2 v2.0.1
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect
