export const AZ_READS = String.raw`
# Commands of az that change nothing and show no secret: groups of commands and the verbs of each group.
# A verb with * shows variables: it is read-only only if harmless fields are selected.

az
  reads version help

az account
  reads list show list-locations

az acr
  reads list show show-usage

az acr repository
  reads list show show-tags show-manifests

az acr manifest
  reads list list-metadata show-metadata

az acr task
  reads list-runs

az acr replication, az acr webhook
  reads list

az ad app, az ad sp, az ad group, az ad user
  reads list show

az ad signed-in-user, az acr identity, az aks identity, az vm identity, az webapp identity, az functionapp identity
  reads show

az ad group member
  reads list check

az ad group owner, az ad app owner, az ad sp owner
  reads list

az advisor recommendation, az role assignment, az role definition, az cloud, az feature, az monitor activity-log,
az monitor metrics alert, az policy definition, az policy assignment, az policy set-definition, az lock, az tag,
az sql server, az sql server firewall-rule, az sql failover-group, az postgres server, az mysql server, az redis,
az keyvault, az keyvault secret, az keyvault key, az keyvault certificate, az cosmosdb, az cosmosdb sql database,
az cosmosdb sql container, az network nic, az network route-table, az network lb,
az network application-gateway waf-policy, az servicebus namespace, az servicebus queue, az servicebus topic,
az eventhubs namespace, az eventhubs eventhub, az boards iteration project, az pipelines, az pipelines build,
az pipelines runs, az pipelines variable-group, az repos, az repos pr, az repos policy, az devops project,
az devops team
  reads list

az aks
  reads list show get-versions get-upgrades wait

az aks nodepool
  reads list show get-upgrades wait

az appservice plan, az functionapp plan, az backup vault, az backup job, az backup item, az cdn profile, az cdn endpoint,
az disk, az snapshot, az image, az sig, az eventgrid topic, az eventgrid event-subscription, az identity,
az keyvault key, az lock, az monitor autoscale, az monitor log-analytics workspace, az monitor metrics alert,
az mysql flexible-server, az mysql flexible-server db, az mysql flexible-server firewall-rule, az network nsg,
az network nsg rule, az network vnet, az network vnet subnet, az network vnet peering, az network public-ip,
az network nic, az network lb, az network route-table, az network route-table route, az network private-endpoint,
az network private-dns zone, az network dns zone, az network dns record-set a, az network dns record-set cname,
az network dns record-set txt, az network bastion, az network nat gateway, az network traffic-manager profile,
az policy assignment, az policy definition, az postgres flexible-server, az postgres flexible-server db,
az postgres flexible-server firewall-rule, az provider, az redis, az resource, az search service,
az servicebus namespace, az servicebus queue, az servicebus topic, az servicebus topic subscription,
az eventhubs namespace, az eventhubs eventhub, az sql db, az sql server, az sql elastic-pool, az sql mi,
az storage account, az synapse workspace, az vm, az vmss, az vm availability-set, az cosmosdb, az role definition,
az group, az webapp deployment slot, az extension, az pipelines, az pipelines runs, az pipelines build, az repos,
az repos pr, az boards work-item, az devops project
  reads list show

az network dns record-set, az network private-dns record-set, az vm image, az vm size, az vm sku, az vmss nic,
az network watcher, az functionapp, az functionapp function, az webapp, az webapp deployment slot, az appservice,
az staticwebapp, az batch account, az batch pool, az batch job, az signalr, az apim
  reads list

az vm
  reads list-sizes list-skus list-usage list-ip-addresses list-vm-resize-options get-instance-view wait

az vm image
  reads list-offers list-publishers list-skus show

az vmss
  reads list-instances list-skus get-instance-view

az webapp, az functionapp, az apim, az signalr, az batch account, az staticwebapp
  reads show

az webapp, az functionapp
  reads list-runtimes

az webapp log
  reads tail show

az group
  reads exists wait

az keyvault
  reads show list-deleted

az keyvault certificate
  reads show list-versions

az keyvault secret
  reads list-versions list-deleted

az monitor metrics
  reads list list-definitions

az monitor log-analytics
  reads query

az monitor diagnostic-settings
  reads list show

az graph
  reads query

az network
  reads list-usages

az storage account
  reads check-name show-usage

az storage blob, az storage container, az storage queue, az storage table
  reads list exists

az storage share, az storage file, az storage fs
  reads list

az storage blob
  reads show

az storage container
  reads show

az consumption usage, az consumption budget, az billing invoice, az billing account
  reads list

az quota, az capacity reservation
  reads list

az container, az containerapp
  reads list* show*

az container
  reads logs

az containerapp logs
  reads show

az containerapp revision, az containerapp env, az containerapp replica
  reads list*

az deployment group, az deployment sub, az deployment operation group, az deployment operation sub
  reads list* show*

az bicep
  reads version list-versions
`;
