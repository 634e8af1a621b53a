/**
 * Every message of the engine and the command line, in English. A code begins with the subject of its message; a subject with many messages
 * has a separate file in this folder.
 */
import { accountWords } from './accountWords.ts'
import { auditWords } from './auditWords.ts'
import { authorityWords } from './authorityWords.ts'
import { backupWords } from './backupWords.ts'
import { batchWords } from './batchWords.ts'
import { captureWords } from './captureWords.ts'
import { checkWords } from './checkWords.ts'
import { accountHelpWords } from './cli/accountHelpWords.ts'
import { authorityHelpWords } from './cli/authorityHelpWords.ts'
import { securityHelpWords } from './cli/securityHelpWords.ts'
import { columnWords } from './cli/columnWords.ts'
import { figureWords } from './cli/figureWords.ts'
import { fileOutputWords } from './cli/fileOutputWords.ts'
import { jobOutputWords } from './cli/jobOutputWords.ts'
import { preserveOutputWords } from './cli/preserveOutputWords.ts'
import { connectionHelpWords } from './cli/connectionHelpWords.ts'
import { domainHelpWords } from './cli/domainHelpWords.ts'
import { indexHelpWords } from './cli/indexHelpWords.ts'
import { missingHelpWords } from './cli/missingHelpWords.ts'
import { qualityReportWords } from './qualityReportWords.ts'
import { verdictWords } from './verdictWords.ts'
import { pageAuditHelpWords } from './cli/pageAuditHelpWords.ts'
import { notificationHelpWords } from './cli/notificationHelpWords.ts'
import { harvestsHelpWords } from './cli/harvestsHelpWords.ts'
import { harvestHelpWords } from './cli/harvestHelpWords.ts'
import { helpWords } from './cli/helpWords.ts'
import { preserveHelpWords } from './cli/preserveHelpWords.ts'
import { cliWords } from './cliWords.ts'
import { connectionWords } from './connectionWords.ts'
import { copyWords } from './copyWords.ts'
import { crawlStatusWords } from './crawlStatusWords.ts'
import { crawlWords } from './crawlWords.ts'
import { dedupWords } from './dedupWords.ts'
import { deliveryWords } from './deliveryWords.ts'
import { outputWords } from './outputWords.ts'
import { domainWords } from './domainWords.ts'
import { exportWords } from './exportWords.ts'
import { faultWords } from './faultWords.ts'
import { findingWords } from './findings/findingWords.ts'
import { folderWords } from './folderWords.ts'
import { formatWords } from './formatWords.ts'
import { harvestWords } from './harvestWords.ts'
import { historyWords } from './historyWords.ts'
import { importWords } from './importWords.ts'
import { indexWords } from './indexWords.ts'
import { jobLogWords } from './jobLogWords.ts'
import { jobRefusalWords } from './jobRefusalWords.ts'
import { jobStatusWords } from './jobStatusWords.ts'
import { jobWords } from './jobWords.ts'
import { loginWords } from './loginWords.ts'
import { missingWords } from './missingWords.ts'
import { ndsaWords } from './ndsaWords.ts'
import { outcomeWords } from './outcomeWords.ts'
import { quantityWords } from './quantityWords.ts'
import { recoverWords } from './recoverWords.ts'
import { repairWords } from './repairWords.ts'
import { replicaWords } from './replicaWords.ts'
import { reportWords } from './reportWords.ts'
import { rewriteWords } from './rewriteWords.ts'
import { ruleWords } from './rules/ruleWords.ts'
import { patternWords } from './patternWords.ts'
import { scheduleWords } from './scheduleWords.ts'
import { searchWords } from './searchWords.ts'
import { serviceWords } from './serviceWords.ts'
import { settingWords } from './settingWords.ts'
import { shellWords } from './shellWords.ts'
import { stateWords } from './stateWords.ts'
import { storageWords } from './storageWords.ts'
import { taskWords } from './taskWords.ts'
import { metricWords } from './metricWords.ts'
import { outputHelpWords } from './cli/outputHelpWords.ts'
import { searchHelpWords } from './cli/searchHelpWords.ts'
import { planHelpWords } from './cli/planHelpWords.ts'
import { notificationWords } from './notificationWords.ts'
import { templateWords } from './templateWords.ts'
import { textWords } from './textWords.ts'
import { valueWords } from './valueWords.ts'
import { viewerWords } from './viewerWords.ts'

export const en = {
  ...preserveOutputWords,
  ...jobOutputWords,
  ...fileOutputWords,
  ...figureWords,
  ...columnWords,
  ...auditWords,
  ...accountWords,
  ...authorityWords,
  ...backupWords,
  ...batchWords,
  ...captureWords,
  ...checkWords,
  ...cliWords,
  ...connectionWords,
  ...copyWords,
  ...crawlStatusWords,
  ...crawlWords,
  ...dedupWords,
  ...deliveryWords,
  ...outputWords,
  ...domainWords,
  ...exportWords,
  ...faultWords,
  ...findingWords,
  ...folderWords,
  ...formatWords,
  ...harvestHelpWords,
  ...accountHelpWords,
  ...authorityHelpWords,
  ...securityHelpWords,
  ...connectionHelpWords,
  ...domainHelpWords,
  ...harvestsHelpWords,
  ...indexHelpWords,
  ...missingHelpWords,
  ...pageAuditHelpWords,
  ...verdictWords,
  ...qualityReportWords,
  ...notificationHelpWords,
  ...outputHelpWords,
  ...planHelpWords,
  ...searchHelpWords,
  ...harvestWords,
  ...helpWords,
  ...historyWords,
  ...importWords,
  ...indexWords,
  ...jobLogWords,
  ...jobRefusalWords,
  ...jobStatusWords,
  ...jobWords,
  ...loginWords,
  ...missingWords,
  ...ndsaWords,
  ...outcomeWords,
  ...quantityWords,
  ...recoverWords,
  ...repairWords,
  ...replicaWords,
  ...reportWords,
  ...rewriteWords,
  ...ruleWords,
  ...patternWords,
  ...preserveHelpWords,
  ...scheduleWords,
  ...searchWords,
  ...serviceWords,
  ...settingWords,
  ...shellWords,
  ...stateWords,
  ...storageWords,
  ...taskWords,
  ...metricWords,
  ...notificationWords,
  ...templateWords,
  ...textWords,
  ...valueWords,
  ...viewerWords,
} as const
