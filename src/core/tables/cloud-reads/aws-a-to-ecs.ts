export const AWS_READS_A_TO_ECS = String.raw`
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
`;
