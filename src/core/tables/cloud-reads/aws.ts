export const AWS_READS = String.raw`
# Operations of aws that change nothing and show no secret. An operation that is not listed here is not known to be
# read-only, whatever its name. A fact is a verb and what may follow it (a full stop: nothing). Taken from the service
# models: no operation with a sensitive member that may contain a secret, and none whose output goes to a file. A narrow
# operation also shows variables or start-up scripts: it is read-only only if --query selects harmless fields.

aws accessanalyzer
  reads get finding finding-recommendation findings-statistics
  reads list access-preview-findings access-previews analyzed-resources analyzers archive-rules findings findings-v2
  reads list policy-generations tags-for-resource
  reads validate policy

aws account
  reads get gov-cloud-account-information region-opt-status
  reads list regions

aws acm
  reads describe certificate
  reads get account-configuration certificate
  reads list certificates tags-for-certificate
  reads search certificates

aws apigateway
  reads get base-path-mapping base-path-mappings deployments documentation-part documentation-parts
  reads get documentation-version documentation-versions gateway-response gateway-responses method-response model
  reads get model-template models request-validator request-validators rest-api rest-apis sdk-type sdk-types tags
  reads get vpc-link vpc-links

aws apigatewayv2
  reads list portal-products product-pages product-rest-endpoint-pages routing-rules

aws application-autoscaling
  reads describe scalable-targets scaling-activities scaling-policies scheduled-actions
  reads get predictive-scaling-forecast
  reads list tags-for-resource

aws appsync
  reads list channel-namespaces domain-names source-api-associations tags-for-resource types types-by-association

aws athena
  reads get capacity-assignment-configuration capacity-reservation database query-execution query-results
  reads get query-runtime-statistics resource-dashboard table-metadata work-group
  reads list application-dpu-sizes capacity-reservations databases engine-versions executors named-queries
  reads list prepared-statements query-executions table-metadata tags-for-resource work-groups

aws autoscaling
  reads describe account-limits adjustment-types auto-scaling-groups auto-scaling-instances
  reads describe auto-scaling-notification-types instance-refreshes lifecycle-hook-types lifecycle-hooks
  reads describe load-balancer-target-groups load-balancers metric-collection-types notification-configurations policies
  reads describe scaling-activities scaling-process-types scheduled-actions tags termination-policy-types
  reads describe traffic-sources warm-pool
  reads get predictive-scaling-forecast
  narrow describe launch-configurations

aws backup
  reads list backup-job-summaries backup-jobs backup-plan-templates backup-plan-versions backup-plans backup-selections
  reads list backup-vaults copy-job-summaries copy-jobs frameworks indexed-recovery-points legal-holds
  reads list protected-resources protected-resources-by-backup-vault recovery-points-by-backup-vault
  reads list recovery-points-by-legal-hold recovery-points-by-resource report-jobs report-plans
  reads list restore-access-backup-vaults restore-job-summaries restore-jobs restore-jobs-by-protected-resource
  reads list restore-testing-plans restore-testing-selections scan-job-summaries scan-jobs tiering-configurations

aws batch
  reads describe compute-environments consumable-resource job-queues quota-share scheduling-policies
  reads describe service-environments service-job
  reads get job-queue-snapshot
  reads list consumable-resources jobs jobs-by-consumable-resource quota-shares scheduling-policies service-jobs
  reads list tags-for-resource

aws bedrock
  reads list advanced-prompt-optimization-jobs automated-reasoning-policy-build-workflows custom-model-deployments
  reads list custom-models enforced-guardrails-configuration evaluation-jobs foundation-models imported-models
  reads list marketplace-model-endpoints model-copy-jobs model-customization-jobs model-import-jobs
  reads list provisioned-model-throughputs tags-for-resource

aws budgets
  reads describe budget budget-notifications-for-account budget-performance-history budgets notifications-for-budget
  reads list tags-for-resource

aws ce
  reads describe cost-category-definition
  reads get anomalies anomaly-monitors anomaly-subscriptions approximate-usage-records commitment-purchase-analysis
  reads get cost-and-usage cost-and-usage-comparisons cost-and-usage-with-resources cost-categories
  reads get cost-comparison-drivers cost-forecast dimension-values reservation-coverage
  reads get reservation-purchase-recommendation reservation-utilization rightsizing-recommendation
  reads get savings-plan-purchase-recommendation-details savings-plans-coverage savings-plans-purchase-recommendation
  reads get savings-plans-utilization savings-plans-utilization-details tags usage-forecast
  reads list commitment-purchase-analyses cost-allocation-tag-backfill-history cost-allocation-tags
  reads list cost-category-definitions cost-category-resource-associations
  reads list savings-plans-purchase-recommendation-generation tags-for-resource

aws cloudformation
  reads describe account-limits events generated-template organizations-access publisher resource-scan
  reads describe stack-drift-detection-status stack-events stack-refactor stack-resource stack-resource-drifts
  reads describe stack-resources stack-set-operation stacks type
  reads get stack-policy template-summary
  reads list change-sets exports generated-templates hook-results imports resource-scan-related-resources
  reads list resource-scan-resources resource-scans stack-instance-resource-drifts stack-instances
  reads list stack-refactor-actions stack-refactors stack-resources stack-set-auto-deployment-targets
  reads list stack-set-operation-results stack-set-operations stack-sets stacks type-registrations type-versions types
  reads validate template

aws cloudfront
  reads describe connection-function function key-value-store
  reads get anycast-ip-list cache-policy cache-policy-config cloud-front-origin-access-identity
  reads get cloud-front-origin-access-identity-config connection-group connection-group-by-routing-endpoint
  reads get continuous-deployment-policy continuous-deployment-policy-config invalidation
  reads get invalidation-for-distribution-tenant key-group key-group-config monitoring-subscription
  reads get origin-access-control origin-access-control-config origin-request-policy origin-request-policy-config
  reads get public-key-config vpc-origin
  reads list anycast-ip-lists cache-policies cloud-front-origin-access-identities conflicting-aliases
  reads list continuous-deployment-policies distribution-tenants distribution-tenants-by-customization domain-conflicts
  reads list field-level-encryption-configs field-level-encryption-profiles functions invalidations
  reads list invalidations-for-distribution-tenant origin-access-controls origin-request-policies public-keys
  reads list realtime-log-configs tags-for-resource trust-stores vpc-origins

aws cloudtrail
  reads describe trails
  reads get event-configuration event-selectors insight-selectors resource-policy trail trail-status
  reads list channels dashboards event-data-stores import-failures imports insights-data insights-metric-data queries
  reads list tags trails
  reads lookup events
  reads search sample-queries

aws cloudwatch
  reads describe alarm-contributors alarm-history alarms alarms-for-metric anomaly-detectors insight-rules
  reads get alarm-mute-rule dashboard insight-rule-report metric-data metric-statistics metric-stream
  reads get metric-widget-image o-tel-enrichment otel-enrichment
  reads list alarm-mute-rules dashboards managed-insight-rules metric-streams metrics tags-for-resource

aws codeartifact
  reads describe domain package package-group package-version repository
  reads get associated-package-group domain-permissions-policy package-version-readme repository-endpoint
  reads get repository-permissions-policy
  reads list allowed-repositories-for-group associated-packages domains package-groups package-version-assets
  reads list package-version-dependencies package-versions packages repositories repositories-in-domain
  reads list sub-package-groups tags-for-resource

aws codebuild
  reads batch-get fleets report-groups reports
  reads describe code-coverages test-cases
  reads list build-batches build-batches-for-project builds builds-for-project curated-environment-images fleets
  reads list projects report-groups reports reports-for-report-group sandboxes sandboxes-for-project shared-projects
  reads list shared-report-groups
  narrow batch-get builds projects

aws codecommit
  reads get branch commit pull-request repository
  reads list approval-rule-templates associated-approval-rule-templates-for-repository branches file-commit-history
  reads list pull-requests repositories repositories-for-approval-rule-template tags-for-resource

aws codepipeline
  reads get action-type pipeline-state
  reads list pipeline-executions pipelines tags-for-resource

aws cognito-identity
  reads describe identity identity-pool
  reads list identities identity-pools tags-for-resource
  reads lookup developer-identity

aws cognito-idp
  reads describe resource-server user-pool user-pool-domain
  reads get group log-delivery-configuration user-pool-mfa-config
  reads list groups identity-providers resource-servers tags-for-resource terms user-pools

aws configservice
  reads describe aggregate-compliance-by-config-rules aggregate-compliance-by-conformance-packs
  reads describe compliance-by-config-rule compliance-by-resource config-rule-evaluation-status config-rules
  reads describe configuration-aggregator-sources-status configuration-aggregators configuration-recorder-status
  reads describe configuration-recorders conformance-pack-compliance conformance-pack-status conformance-packs
  reads describe delivery-channel-status delivery-channels organization-config-rule-statuses organization-config-rules
  reads describe organization-conformance-pack-statuses organization-conformance-packs pending-aggregation-requests
  reads describe remediation-configurations remediation-exceptions remediation-execution-status retention-configurations
  reads get compliance-summary-by-config-rule compliance-summary-by-resource-type
  reads list aggregate-discovered-resources configuration-recorders conformance-pack-compliance-scores
  reads list discovered-resources resource-evaluations stored-queries tags-for-resource

aws deploy
  reads get application application-revision deployment deployment-config deployment-group on-premises-instance
  reads list application-revisions applications deployment-configs deployment-groups deployment-instances
  reads list deployment-targets deployments on-premises-instances tags-for-resource

aws dlm
  reads get lifecycle-policies lifecycle-policy
  reads list tags-for-resource

aws dms
  reads describe engine-versions event-categories event-subscriptions events replication-instances
  reads describe replication-subnet-groups table-statistics

aws docdb
  reads describe certificates db-cluster-parameter-groups db-cluster-parameters db-cluster-snapshot-attributes
  reads describe db-cluster-snapshots db-clusters db-engine-versions db-instances db-subnet-groups
  reads describe engine-default-cluster-parameters event-categories event-subscriptions events global-clusters
  reads describe orderable-db-instance-options pending-maintenance-actions
  reads list tags-for-resource

aws ds
  reads get directory-limits snapshot-limits
  reads list ad-assessments certificates ip-routes log-subscriptions schema-extensions tags-for-resource

aws dynamodb
  reads batch-get item
  reads describe backup continuous-backups contributor-insights endpoints export global-table global-table-settings
  reads describe import kinesis-streaming-destination limits table table-replica-auto-scaling time-to-live
  reads get item resource-policy
  reads list backups contributor-insights exports global-tables imports tables tags-of-resource
  reads query .
  reads scan .

aws dynamodbstreams
  reads describe stream
  reads get records shard-iterator
  reads list streams

aws ec2
  reads describe account-attributes address-transfers addresses addresses-attribute aggregate-id-format
  reads describe availability-zones aws-network-performance-metric-subscriptions byoip-cidrs
  reads describe capacity-block-extension-history capacity-block-extension-offerings capacity-block-offerings
  reads describe capacity-block-status capacity-blocks capacity-manager-data-exports
  reads describe capacity-reservation-billing-requests capacity-reservation-fleets capacity-reservation-topology
  reads describe capacity-reservations carrier-gateways classic-link-instances client-vpn-authorization-rules
  reads describe client-vpn-connections client-vpn-endpoints client-vpn-routes client-vpn-target-networks coip-pools
  reads describe customer-gateways declarative-policies-reports dhcp-options egress-only-internet-gateways elastic-gpus
  reads describe export-image-tasks export-tasks fast-launch-images fast-snapshot-restores fleet-history fleet-instances
  reads describe flow-logs fpga-image-attribute fpga-images host-reservation-offerings host-reservations hosts
  reads describe iam-instance-profile-associations id-format identity-id-format image-attribute image-references
  reads describe image-usage-report-entries image-usage-reports images instance-connect-endpoints
  reads describe instance-credit-specifications instance-event-notification-attributes instance-event-windows
  reads describe instance-image-metadata instance-status instance-topology instance-type-offerings instance-types
  reads describe instances internet-gateways ipam-byoasn ipam-policies ipam-pool-allocations ipam-pools
  reads describe ipam-prefix-list-resolver-targets ipam-prefix-list-resolvers ipam-resource-discoveries
  reads describe ipam-resource-discovery-associations ipam-scopes ipams ipv6-pools key-pairs launch-templates
  reads describe local-gateway-route-table-virtual-interface-group-associations
  reads describe local-gateway-route-table-vpc-associations local-gateway-route-tables
  reads describe local-gateway-virtual-interface-groups local-gateway-virtual-interfaces local-gateways locked-snapshots
  reads describe mac-hosts mac-modification-tasks managed-prefix-lists moving-addresses nat-gateways network-acls
  reads describe network-insights-access-scope-analyses network-insights-access-scopes network-insights-analyses
  reads describe network-insights-paths network-interface-attribute network-interface-permissions network-interfaces
  reads describe outpost-lags placement-groups prefix-lists principal-id-format public-ipv4-pools regions
  reads describe replace-root-volume-tasks reserved-instances reserved-instances-listings
  reads describe reserved-instances-modifications reserved-instances-offerings route-server-endpoints route-server-peers
  reads describe route-servers route-tables scheduled-instances secondary-interfaces secondary-networks
  reads describe secondary-subnets security-group-references security-group-rules security-group-vpc-associations
  reads describe security-groups service-link-virtual-interfaces snapshot-attribute snapshot-tier-status snapshots
  reads describe stale-security-groups store-image-tasks subnets tags traffic-mirror-filter-rules traffic-mirror-filters
  reads describe traffic-mirror-sessions traffic-mirror-targets transit-gateway-attachments
  reads describe transit-gateway-connect-peers transit-gateway-connects transit-gateway-metering-policies
  reads describe transit-gateway-multicast-domains transit-gateway-peering-attachments transit-gateway-policy-tables
  reads describe transit-gateway-route-table-announcements transit-gateway-route-tables transit-gateway-vpc-attachments
  reads describe transit-gateways trunk-interface-associations verified-access-endpoints verified-access-groups
  reads describe verified-access-instance-logging-configurations verified-access-instances volume-attribute
  reads describe volume-status volumes volumes-modifications vpc-attribute vpc-block-public-access-exclusions
  reads describe vpc-block-public-access-options vpc-classic-link vpc-classic-link-dns-support vpc-encryption-controls
  reads describe vpc-endpoint-associations vpc-endpoint-connection-notifications vpc-endpoint-connections
  reads describe vpc-endpoint-service-configurations vpc-endpoint-service-permissions vpc-endpoint-services
  reads describe vpc-endpoints vpc-peering-connections vpcs vpn-concentrators vpn-gateways
  reads get active-vpn-tunnel-status allowed-images-settings associated-enclave-certificate-iam-roles
  reads get associated-ipv6-pool-cidrs aws-network-performance-data capacity-manager-metric-data
  reads get capacity-manager-metric-dimensions capacity-manager-monitored-tag-keys capacity-reservation-usage
  reads get coip-pool-usage declarative-policies-report-summary default-credit-specification ebs-default-kms-key-id
  reads get ebs-encryption-by-default enabled-ipam-policy flow-logs-integration-template groups-for-capacity-reservation
  reads get host-reservation-purchase-preview image-ancestry image-block-public-access-state instance-metadata-defaults
  reads get instance-types-from-instance-requirements instance-uefi-data ipam-address-history ipam-discovered-accounts
  reads get ipam-discovered-public-addresses ipam-discovered-resource-cidrs ipam-policy-allocation-rules
  reads get ipam-policy-organization-targets ipam-pool-allocations ipam-pool-cidrs ipam-prefix-list-resolver-rules
  reads get ipam-prefix-list-resolver-version-entries ipam-prefix-list-resolver-versions ipam-resource-cidrs
  reads get managed-prefix-list-associations managed-prefix-list-entries managed-resource-visibility
  reads get network-insights-access-scope-analysis-findings network-insights-access-scope-content
  reads get reserved-instances-exchange-quote route-server-associations route-server-propagations
  reads get route-server-routing-database security-groups-for-vpc serial-console-access-status
  reads get snapshot-block-public-access-state spot-placement-scores subnet-cidr-reservations
  reads get transit-gateway-attachment-propagations transit-gateway-metering-policy-entries
  reads get transit-gateway-multicast-domain-associations transit-gateway-policy-table-associations
  reads get transit-gateway-policy-table-entries transit-gateway-prefix-list-references
  reads get transit-gateway-route-table-associations transit-gateway-route-table-propagations
  reads get verified-access-endpoint-policy verified-access-endpoint-targets verified-access-group-policy
  reads get vpc-resources-blocking-encryption-enforcement
  reads list images-in-recycle-bin snapshots-in-recycle-bin volumes-in-recycle-bin
  reads search local-gateway-routes transit-gateway-multicast-groups transit-gateway-routes
  narrow describe launch-template-versions spot-instance-requests

aws ecr
  reads batch-get image repository-scanning-configuration
  reads describe image-replication-status image-scan-findings image-signing-status images pull-through-cache-rules
  reads describe registry repositories repository-creation-templates
  reads get account-setting lifecycle-policy lifecycle-policy-preview registry-policy registry-scanning-configuration
  reads get repository-policy signing-configuration
  reads list image-referrers images pull-time-update-exclusions tags-for-resource
  reads validate pull-through-cache-rule

aws ecr-public
  reads describe image-tags images registries repositories
  reads get registry-catalog-data repository-catalog-data repository-policy
  reads list tags-for-resource

aws ecs
  reads describe capacity-providers clusters container-instances service-deployments service-revisions services
  reads describe task-sets
  reads get task-protection
  reads list account-settings attributes clusters container-instances daemon-deployments daemon-task-definitions daemons
  reads list service-deployments services services-by-namespace tags-for-resource task-definition-families
  reads list task-definitions tasks
  narrow describe task-definition tasks

aws efs
  reads describe access-points account-preferences backup-policy file-system-policy file-systems lifecycle-configuration
  reads describe mount-target-security-groups mount-targets replication-configurations tags
  reads list tags-for-resource

aws eks
  reads describe access-entry addon addon-versions capability cluster cluster-versions fargate-profile insights-refresh
  reads describe nodegroup update
  reads list access-entries access-policies addons associated-access-policies capabilities clusters fargate-profiles
  reads list identity-provider-configs insights nodegroups pod-identity-associations tags-for-resource updates

aws elasticache
  reads describe cache-clusters cache-engine-versions cache-parameter-groups cache-parameters cache-security-groups
  reads describe cache-subnet-groups engine-default-parameters events global-replication-groups replication-groups
  reads describe reserved-cache-nodes reserved-cache-nodes-offerings serverless-cache-snapshots serverless-caches
  reads describe service-updates snapshots update-actions user-groups
  reads list allowed-node-type-modifications tags-for-resource

aws elasticbeanstalk
  reads check dns-availability
  reads describe account-attributes application-versions applications environment-health
  reads describe environment-managed-action-history environment-managed-actions environments events instances-health
  reads describe platform-version
  reads list available-solution-stacks platform-branches platform-versions tags-for-resource
  reads validate configuration-settings

aws elb
  reads describe account-limits instance-health load-balancer-attributes load-balancer-policies
  reads describe load-balancer-policy-types load-balancers tags

aws elbv2
  reads describe account-limits capacity-reservation listener-attributes listener-certificates load-balancer-attributes
  reads describe load-balancers ssl-policies tags target-group-attributes target-groups target-health
  reads describe trust-store-associations trust-store-revocations trust-stores
  reads get resource-policy trust-store-ca-certificates-bundle trust-store-revocation-content

aws emr
  reads describe persistent-app-ui release-label
  reads get auto-termination-policy block-public-access-configuration managed-scaling-policy studio-session-mapping
  reads list clusters instance-fleets instances notebook-executions release-labels security-configurations
  reads list studio-session-mappings studios supported-instance-types

aws es
  reads describe domain-auto-tunes domain-change-progress elasticsearch-domain elasticsearch-domain-config
  reads describe elasticsearch-domains elasticsearch-instance-type-limits inbound-cross-cluster-search-connections
  reads describe outbound-cross-cluster-search-connections packages reserved-elasticsearch-instance-offerings
  reads describe reserved-elasticsearch-instances vpc-endpoints
  reads get compatible-elasticsearch-versions package-version-history upgrade-history upgrade-status
  reads list domain-names domains-for-package elasticsearch-instance-types elasticsearch-versions packages-for-domain
  reads list tags vpc-endpoint-access vpc-endpoints vpc-endpoints-for-domain

aws events
  reads describe archive endpoint event-bus event-source partner-event-source replay rule
  reads list archives endpoints event-buses event-sources partner-event-source-accounts partner-event-sources replays
  reads list rule-names-by-target rules tags-for-resource

aws firehose
  reads list delivery-streams tags-for-delivery-stream

aws glue
  reads check schema-version-validity
  reads describe entity inbound-integrations integrations
  reads get blueprint blueprint-run blueprint-runs catalog catalog-import-status catalogs
  reads get column-statistics-for-partition column-statistics-for-table column-statistics-task-run
  reads get column-statistics-task-runs column-statistics-task-settings custom-entity-type data-quality-model
  reads get data-quality-model-result data-quality-rule-recommendation-run data-quality-ruleset
  reads get data-quality-ruleset-evaluation-run database databases glue-identity-center-configuration
  reads get integration-resource-property integration-table-properties materialized-view-refresh-task-run ml-task-run
  reads get ml-task-runs ml-transform ml-transforms partition partition-indexes partitions registry resource-policies
  reads get resource-policy schema schema-by-definition schema-version schema-versions-diff security-configuration
  reads get security-configurations table-optimizer tags usage-profile user-defined-function user-defined-functions
  reads list blueprints column-statistics-task-runs connection-types crawlers crawls custom-entity-types
  reads list data-quality-results data-quality-rule-recommendation-runs data-quality-ruleset-evaluation-runs
  reads list data-quality-rulesets data-quality-statistic-annotations dev-endpoints entities
  reads list integration-resource-properties jobs materialized-view-refresh-task-runs ml-transforms registries
  reads list schema-versions schemas table-optimizer-runs triggers usage-profiles workflows
  reads query schema-version-metadata

aws guardduty
  reads describe malware-scans organization-configuration publishing-destination
  reads get administrator-account coverage-statistics detector filter findings-statistics invitations-count ip-set
  reads get malware-protection-plan malware-scan malware-scan-settings master-account member-detectors
  reads get organization-statistics remaining-free-trial-days threat-entity-set threat-intel-set trusted-entity-set
  reads get usage-statistics
  reads list coverage detectors filters findings invitations ip-sets malware-protection-plans malware-scans
  reads list organization-admin-accounts publishing-destinations tags-for-resource threat-entity-sets threat-intel-sets
  reads list trusted-entity-sets

aws health
  reads describe affected-accounts-for-organization affected-entities affected-entities-for-organization
  reads describe entity-aggregates entity-aggregates-for-organization event-aggregates event-details
  reads describe event-details-for-organization event-types events events-for-organization
  reads describe health-service-status-for-organization

aws iam
  reads get access-key-last-used account-authorization-details account-password-policy account-summary
  reads get context-keys-for-custom-policy context-keys-for-principal-policy delegation-request group group-policy
  reads get human-readable-summary instance-profile login-profile mfa-device open-id-connect-provider
  reads get outbound-web-identity-federation-info policy policy-version role role-policy server-certificate
  reads get service-last-accessed-details service-last-accessed-details-with-entities
  reads get service-linked-role-deletion-status ssh-public-key user user-policy
  reads list access-keys account-aliases attached-group-policies attached-role-policies attached-user-policies
  reads list delegation-requests entities-for-policy group-policies groups groups-for-user instance-profile-tags
  reads list instance-profiles instance-profiles-for-role mfa-device-tags mfa-devices open-id-connect-provider-tags
  reads list open-id-connect-providers organizations-features policies policies-granting-service-access policy-tags
  reads list policy-versions role-policies role-tags roles saml-provider-tags saml-providers server-certificate-tags
  reads list server-certificates service-specific-credentials signing-certificates ssh-public-keys user-policies
  reads list user-tags users
  reads simulate principal-policy

aws identitystore
  reads describe group-membership
  reads get group-id group-membership-id user-id
  reads list group-memberships group-memberships-for-member

aws kafka
  reads describe cluster cluster-operation cluster-operation-v2 cluster-v2 configuration replicator topic
  reads describe topic-partitions vpc-connection
  reads get cluster-policy compatible-kafka-versions
  reads list client-vpc-connections cluster-operations cluster-operations-v2 clusters clusters-v2
  reads list configuration-revisions configurations kafka-versions nodes replicators tags-for-resource topics
  reads list vpc-connections

aws kinesis
  reads describe account-settings limits stream stream-consumer stream-summary
  reads get resource-policy
  reads list shards stream-consumers streams tags-for-resource tags-for-stream

aws kinesisanalyticsv2
  reads list application-operations application-snapshots application-versions applications tags-for-resource

aws kms
  reads describe key
  reads get key-last-usage key-policy key-rotation-status public-key
  reads list aliases grants key-policies key-rotations keys resource-tags retirable-grants

aws lambda
  reads get account-settings alias capacity-provider code-signing-config event-source-mapping
  reads get function-code-signing-config function-concurrency function-event-invoke-config function-recursion-config
  reads get function-scaling-config function-url-config policy provisioned-concurrency-config runtime-management-config
  reads list aliases capacity-providers code-signing-configs durable-executions-by-function event-source-mappings
  reads list function-event-invoke-configs function-url-configs function-versions-by-capacity-provider
  reads list functions-by-code-signing-config layer-versions layers provisioned-concurrency-configs tags
  narrow get function function-configuration
  narrow list functions versions-by-function

aws logs
  reads describe account-policies configuration-templates deliveries delivery-destinations delivery-sources destinations
  reads describe export-tasks field-indexes import-task-batches import-tasks index-policies log-groups log-streams
  reads describe lookup-tables metric-filters queries query-definitions resource-policies subscription-filters
  reads filter log-events
  reads get data-protection-policy delivery delivery-destination delivery-destination-policy delivery-source integration
  reads get log-anomaly-detector log-events log-fields log-group-fields log-record lookup-table query-results
  reads get scheduled-query scheduled-query-history transformer
  reads list aggregate-log-group-summaries anomalies integrations log-anomaly-detectors log-groups log-groups-for-query
  reads list scheduled-queries sources-for-s3-table-integration tags-for-resource tags-log-group

aws mq
  reads describe configuration configuration-revision user
  reads list brokers configuration-revisions configurations tags users

aws opensearch
  reads describe domain domain-auto-tunes domain-change-progress domain-config domain-health domain-nodes domains
  reads describe dry-run-progress inbound-connections insight-details instance-type-limits packages
  reads describe reserved-instance-offerings reserved-instances vpc-endpoints
  reads list applications data-sources direct-query-data-sources domain-maintenances domain-names domains-for-package
  reads list insights instance-type-details packages-for-domain scheduled-actions tags versions vpc-endpoint-access
  reads list vpc-endpoints vpc-endpoints-for-domain

aws organizations
  reads describe account effective-policy organization organizational-unit policy resource-policy
  reads list accounts accounts-for-parent aws-service-access-for-organization children delegated-administrators
  reads list delegated-services-for-account effective-policy-validation-errors organizational-units-for-parent parents
  reads list policies policies-for-target roots tags-for-resource targets-for-policy

aws pricing
  reads describe services
  reads get attribute-values products
  reads list price-lists

aws ram
  reads get permission resource-policies resource-share-associations resource-share-invitations resource-shares
  reads list pending-invitation-resources permission-associations permission-versions permissions principals
  reads list replace-permission-associations-work resource-share-permissions resource-types resources
  reads list source-associations

aws rds
  reads describe account-attributes blue-green-deployments certificates db-cluster-automated-backups
  reads describe db-cluster-backtracks db-cluster-endpoints db-cluster-parameter-groups db-cluster-parameters
  reads describe db-cluster-snapshot-attributes db-cluster-snapshots db-clusters db-engine-versions
  reads describe db-instance-automated-backups db-instances db-log-files db-major-engine-versions db-parameter-groups
  reads describe db-parameters db-proxies db-proxy-endpoints db-proxy-targets db-recommendations db-security-groups
  reads describe db-shard-groups db-snapshot-attributes db-snapshot-tenant-databases db-snapshots db-subnet-groups
  reads describe engine-default-cluster-parameters engine-default-parameters event-categories event-subscriptions events
  reads describe export-tasks global-clusters integrations option-group-options orderable-db-instance-options
  reads describe pending-maintenance-actions reserved-db-instances reserved-db-instances-offerings
  reads describe serverless-v2-platform-versions source-regions valid-db-instance-modifications
  reads list tags-for-resource

aws redshift
  reads describe account-attributes cluster-db-revisions cluster-parameter-groups cluster-parameters
  reads describe cluster-security-groups cluster-snapshots cluster-subnet-groups cluster-tracks cluster-versions
  reads describe clusters custom-domain-associations data-shares data-shares-for-consumer data-shares-for-producer
  reads describe default-cluster-parameters endpoint-access event-categories event-subscriptions events logging-status
  reads describe node-configuration-options orderable-cluster-options reserved-node-exchange-status
  reads describe reserved-node-offerings reserved-nodes resize scheduled-actions snapshot-copy-grants snapshot-schedules
  reads describe storage table-restore-status tags usage-limits
  reads list recommendations

aws redshift-serverless
  reads get custom-domain-association endpoint-access recovery-point reservation reservation-offering resource-policy
  reads get scheduled-action snapshot table-restore-status usage-limit workgroup
  reads list custom-domain-associations endpoint-access managed-workgroups recovery-points reservation-offerings
  reads list reservations scheduled-actions snapshot-copy-configurations snapshots table-restore-status
  reads list tags-for-resource tracks usage-limits workgroups

aws resource-explorer-2
  reads get account-level-service-configuration default-view service-index
  reads list indexes indexes-for-members managed-views resources service-indexes service-views
  reads list streaming-access-for-services supported-resource-types views
  reads search .

aws resource-groups
  reads get account-settings group group-configuration group-query tag-sync-task tags
  reads list group-resources grouping-statuses groups tag-sync-tasks
  reads search resources

aws resourcegroupstaggingapi
  reads describe report-creation
  reads get compliance-summary resources tag-keys tag-values
  reads list required-tags

aws route53
  reads get account-limit change checker-ip-ranges geo-location health-check health-check-count
  reads get health-check-last-failure-reason health-check-status hosted-zone hosted-zone-count hosted-zone-limit
  reads get query-logging-config reusable-delegation-set reusable-delegation-set-limit traffic-policy
  reads get traffic-policy-instance traffic-policy-instance-count
  reads list cidr-blocks cidr-collections cidr-locations geo-locations health-checks hosted-zones hosted-zones-by-name
  reads list hosted-zones-by-vpc query-logging-configs resource-record-sets reusable-delegation-sets tags-for-resource
  reads list tags-for-resources traffic-policies traffic-policy-instances traffic-policy-instances-by-hosted-zone
  reads list traffic-policy-instances-by-policy traffic-policy-versions vpc-association-authorizations

aws route53domains
  reads get contact-reachability-status operation-detail

aws route53resolver
  reads get firewall-config firewall-domain-list firewall-rule-group firewall-rule-group-association
  reads get firewall-rule-group-policy outpost-resolver resolver-config resolver-dnssec-config resolver-endpoint
  reads get resolver-query-log-config resolver-query-log-config-association resolver-query-log-config-policy
  reads get resolver-rule resolver-rule-association resolver-rule-policy
  reads list firewall-configs firewall-domain-lists firewall-domains firewall-rule-group-associations
  reads list firewall-rule-groups firewall-rules outpost-resolvers resolver-configs resolver-dnssec-configs
  reads list resolver-endpoint-ip-addresses resolver-endpoints resolver-query-log-config-associations
  reads list resolver-query-log-configs resolver-rule-associations resolver-rules tags-for-resource

aws s3api
  reads get bucket-abac bucket-accelerate-configuration bucket-acl bucket-analytics-configuration bucket-cors
  reads get bucket-encryption bucket-intelligent-tiering-configuration bucket-inventory-configuration bucket-lifecycle
  reads get bucket-lifecycle-configuration bucket-location bucket-logging bucket-metadata-configuration
  reads get bucket-metadata-table-configuration bucket-metrics-configuration bucket-notification
  reads get bucket-notification-configuration bucket-ownership-controls bucket-policy bucket-policy-status
  reads get bucket-replication bucket-request-payment bucket-tagging bucket-versioning bucket-website object-acl
  reads get object-attributes object-legal-hold object-lock-configuration object-retention object-tagging
  reads get public-access-block
  reads head bucket object
  reads list bucket-analytics-configurations bucket-intelligent-tiering-configurations bucket-inventory-configurations
  reads list bucket-metrics-configurations buckets directory-buckets multipart-uploads object-versions objects
  reads list objects-v2 parts

aws s3tables
  reads get namespace table-bucket table-bucket-encryption table-bucket-maintenance-configuration
  reads get table-bucket-metrics-configuration table-bucket-storage-class table-maintenance-configuration
  reads get table-maintenance-job-status table-record-expiration-configuration table-record-expiration-job-status
  reads get table-replication-status table-storage-class
  reads list namespaces table-buckets tables tags-for-resource

aws sagemaker
  reads list domains endpoint-configs endpoints experiments models notebook-instance-lifecycle-configs
  reads list notebook-instances pipelines processing-jobs tags training-jobs
  reads list training-jobs-for-hyper-parameter-tuning-job training-plans transform-jobs trials

aws scheduler
  reads get schedule-group
  reads list schedule-groups schedules tags-for-resource

aws secretsmanager
  reads describe secret
  reads get resource-policy
  reads list secret-version-ids secrets
  reads validate resource-policy

aws securityhub
  reads describe action-targets hub organization-configuration products products-v2 security-hub-v2 standards
  reads describe standards-controls
  reads list aggregators-v2 automation-rules automation-rules-v2 configuration-policies
  reads list configuration-policy-associations connectors-v2 enabled-products-for-import finding-aggregators invitations
  reads list members organization-admin-accounts security-control-definitions standards-control-associations
  reads list tags-for-resource

aws service-quotas
  reads get association-for-service-quota-template auto-management-configuration aws-default-service-quota
  reads get quota-utilization-report requested-service-quota-change service-quota
  reads get service-quota-increase-request-from-template
  reads list aws-default-service-quotas requested-service-quota-change-history
  reads list requested-service-quota-change-history-by-quota service-quota-increase-requests-in-template service-quotas
  reads list services tags-for-resource

aws servicediscovery
  reads get instance instances-health-status namespace operation service service-attributes
  reads list instances namespaces operations services tags-for-resource

aws ses
  reads describe active-receipt-rule-set configuration-set receipt-rule receipt-rule-set
  reads get account-sending-enabled custom-verification-email-template identity-dkim-attributes
  reads get identity-mail-from-domain-attributes identity-notification-attributes identity-policies send-quota
  reads get send-statistics template
  reads list configuration-sets custom-verification-email-templates identities identity-policies receipt-filters
  reads list receipt-rule-sets templates

aws sesv2
  reads get configuration-set configuration-set-event-destinations dedicated-ip dedicated-ip-pool dedicated-ips
  reads get email-identity email-identity-policies
  reads list configuration-sets contact-lists contacts custom-verification-email-templates dedicated-ip-pools
  reads list deliverability-test-reports domain-deliverability-campaigns email-identities email-templates export-jobs
  reads list import-jobs multi-region-endpoints recommendations reputation-entities resource-tenants
  reads list suppressed-destinations tags-for-resource tenant-resources tenants

aws sns
  reads check if-phone-number-is-opted-out
  reads get data-protection-policy sms-attributes sms-sandbox-account-status subscription-attributes topic-attributes
  reads list endpoints-by-platform-application platform-applications subscriptions subscriptions-by-topic
  reads list tags-for-resource topics

aws sqs
  reads get queue-attributes
  reads list dead-letter-source-queues message-move-tasks queue-tags queues

aws ssm
  reads describe activations available-patches document document-permission effective-instance-associations
  reads describe effective-patches-for-patch-baseline instance-associations-status instance-information instance-patches
  reads describe instance-properties inventory-deletions maintenance-windows maintenance-windows-for-target ops-items
  reads describe parameters patch-baselines patch-group-state patch-groups patch-properties sessions
  reads get calendar-state default-patch-baseline parameter parameter-history parameters parameters-by-path
  reads get resource-policies service-setting
  reads list compliance-items compliance-summaries document-metadata-history document-versions documents
  reads list inventory-entries nodes nodes-summary ops-item-events ops-item-related-items ops-metadata
  reads list resource-compliance-summaries resource-data-sync tags-for-resource

aws sso-admin
  reads list account-assignment-creation-status account-assignment-deletion-status account-assignments
  reads list account-assignments-for-principal accounts-for-provisioned-permission-set application-access-scopes
  reads list application-assignments application-assignments-for-principal application-authentication-methods
  reads list application-providers applications customer-managed-policy-references-in-permission-set instances
  reads list managed-policies-in-permission-set permission-set-provisioning-status permission-sets
  reads list permission-sets-provisioned-to-account regions tags-for-resource

aws stepfunctions
  reads list activities executions map-runs state-machine-aliases state-machine-versions state-machines
  reads list tags-for-resource
  narrow describe execution state-machine

aws sts
  reads get access-key-info caller-identity

aws transfer
  reads describe access agreement host-key profile security-policy server user web-app
  reads list accesses agreements certificates connectors executions file-transfer-results host-keys profiles
  reads list security-policies servers tags-for-resource users web-apps workflows

aws wafv2
  reads check capacity
  reads describe all-managed-products managed-products-by-vendor managed-rule-group
  reads get logging-configuration mobile-sdk-release permission-policy rate-based-statement-managed-keys
  reads get sampled-requests top-path-statistics-by-traffic
  reads list available-managed-rule-group-versions available-managed-rule-groups logging-configurations
  reads list mobile-sdk-releases resources-for-web-acl tags-for-resource
`;
