export const AWS_READS_EFS_TO_Z = String.raw`
# The other services of aws; aws-a-to-ecs.ts explains the facts.

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
