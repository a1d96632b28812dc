export const GCLOUD_READS = String.raw`
# Commands of gcloud that change nothing and show no secret: groups of commands and the verbs of each group.
# A verb with ~ shows variables in every format except its own table, a verb with * in every format. Both are read-only
# only if harmless fields are selected.

gcloud
  reads info version help topic cheat-sheet

gcloud auth, gcloud components, gcloud services, gcloud compute networks peerings, gcloud kms locations,
gcloud sql tiers, gcloud sql flags, gcloud iam service-accounts keys, gcloud artifacts locations,
gcloud container images, gcloud run regions, gcloud functions regions, gcloud app regions, gcloud app instances,
gcloud logging logs, gcloud secrets locations
  reads list

gcloud config
  reads list get get-value

gcloud config configurations, gcloud compute accelerator-types, gcloud compute addresses, gcloud compute backend-buckets,
gcloud compute commitments, gcloud compute disk-types, gcloud compute disks, gcloud compute firewall-rules,
gcloud compute forwarding-rules, gcloud compute health-checks, gcloud compute http-health-checks,
gcloud compute https-health-checks, gcloud compute images, gcloud compute instance-groups,
gcloud compute instance-groups unmanaged, gcloud compute instances, gcloud compute interconnects,
gcloud compute machine-types, gcloud compute network-endpoint-groups, gcloud compute networks, gcloud compute operations,
gcloud compute regions, gcloud compute reservations, gcloud compute resource-policies, gcloud compute routes,
gcloud compute security-policies, gcloud compute snapshots, gcloud compute ssl-certificates, gcloud compute ssl-policies,
gcloud compute target-http-proxies, gcloud compute target-https-proxies, gcloud compute target-pools,
gcloud compute target-tcp-proxies, gcloud compute url-maps, gcloud compute vpn-gateways, gcloud compute zones
  reads list describe

gcloud compute instance-groups managed
  reads list describe list-instances list-errors

gcloud compute backend-services
  reads list describe get-health

gcloud compute routers
  reads list describe get-status get-nat-mapping-info

gcloud compute networks subnets, gcloud compute disks, gcloud compute images, gcloud compute instances,
gcloud compute snapshots, gcloud iam service-accounts, gcloud kms keyrings, gcloud kms keys, gcloud organizations,
gcloud projects, gcloud pubsub subscriptions, gcloud pubsub topics, gcloud resource-manager folders, gcloud run services,
gcloud run jobs, gcloud functions, gcloud secrets, gcloud storage buckets, gcloud artifacts repositories,
gcloud dns managed-zones, gcloud spanner databases, gcloud spanner instances, gcloud tasks queues
  reads get-iam-policy

gcloud compute networks subnets, gcloud container node-pools, gcloud container operations,
gcloud container fleet memberships, gcloud organizations, gcloud resource-manager folders,
gcloud resource-manager tags keys, gcloud resource-manager tags values, gcloud org-policies, gcloud billing accounts,
gcloud billing projects, gcloud billing budgets, gcloud dns managed-zones, gcloud dns record-sets, gcloud dns policies,
gcloud artifacts repositories, gcloud artifacts versions, gcloud artifacts docker images, gcloud iam roles,
gcloud iam service-accounts, gcloud iam workload-identity-pools, gcloud kms keyrings, gcloud kms keys,
gcloud logging sinks, gcloud logging metrics, gcloud logging buckets, gcloud monitoring dashboards, gcloud pubsub topics,
gcloud pubsub subscriptions, gcloud pubsub snapshots, gcloud pubsub schemas, gcloud redis instances,
gcloud memcache instances, gcloud filestore instances, gcloud filestore backups, gcloud secrets, gcloud secrets versions,
gcloud source repos, gcloud spanner instances, gcloud spanner databases, gcloud spanner backups, gcloud sql instances,
gcloud sql databases, gcloud sql backups, gcloud sql operations, gcloud storage buckets, gcloud storage objects,
gcloud tasks queues, gcloud bigtable instances, gcloud bigtable clusters, gcloud bigtable tables,
gcloud firestore databases, gcloud firestore indexes composite, gcloud eventarc triggers,
gcloud deploy delivery-pipelines, gcloud deploy targets, gcloud deploy releases, gcloud deploy rollouts,
gcloud endpoints services, gcloud app services, gcloud certificate-manager certificates, gcloud ai models,
gcloud ai endpoints, gcloud recommender recommendations
  reads list describe

gcloud projects
  reads list describe get-ancestors

gcloud artifacts packages, gcloud artifacts tags, gcloud artifacts files, gcloud artifacts docker tags,
gcloud container clusters, gcloud sql users, gcloud sql ssl-certs, gcloud workflows, gcloud workflows executions,
gcloud dataproc clusters, gcloud dataflow jobs, gcloud monitoring policies, gcloud kms keys versions
  reads list

gcloud container images
  reads list-tags describe

gcloud container
  reads get-server-config

gcloud container clusters
  reads describe*

gcloud functions, gcloud run services, gcloud run revisions, gcloud run jobs, gcloud run jobs executions,
gcloud app versions, gcloud builds, gcloud builds triggers, gcloud scheduler jobs, gcloud composer environments,
gcloud compute instance-templates
  reads list~ describe*

gcloud functions logs, gcloud run services logs, gcloud app logs
  reads read

gcloud app
  reads describe

gcloud builds
  reads log

gcloud iam
  reads list-grantable-roles list-testable-permissions

gcloud logging
  reads read tail

gcloud pubsub topics
  reads list-subscriptions

gcloud spanner databases ddl
  reads describe

gcloud storage
  reads ls du hash cat

gcloud asset
  reads search-all-resources search-all-iam-policies

gcloud monitoring uptime
  reads list-configs describe
`;
