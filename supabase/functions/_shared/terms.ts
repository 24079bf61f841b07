// Generated from the schema by `npm run types`. Do not edit.

export const accessSilenceHours = 48
export const accessTimeHours = 48
export const alertLifetimeHours = 2160
export const assumedMaximum = 5
export const attemptMemoryHours = 24
export const caseMemoryHours = 26298
export const centCurrencies = [
  'AED',
  'AFN',
  'ALL',
  'AMD',
  'AOA',
  'ARS',
  'AUD',
  'AWG',
  'AZN',
  'BAM',
  'BBD',
  'BDT',
  'BMD',
  'BND',
  'BOB',
  'BRL',
  'BSD',
  'BTN',
  'BWP',
  'BYN',
  'BZD',
  'CAD',
  'CDF',
  'CHF',
  'CNY',
  'COP',
  'CRC',
  'CUP',
  'CVE',
  'CZK',
  'DKK',
  'DOP',
  'DZD',
  'EGP',
  'ERN',
  'ETB',
  'EUR',
  'FJD',
  'FKP',
  'GBP',
  'GEL',
  'GHS',
  'GIP',
  'GMD',
  'GTQ',
  'GYD',
  'HKD',
  'HNL',
  'HTG',
  'HUF',
  'IDR',
  'ILS',
  'INR',
  'IRR',
  'JMD',
  'KES',
  'KGS',
  'KHR',
  'KPW',
  'KYD',
  'KZT',
  'LAK',
  'LBP',
  'LKR',
  'LRD',
  'LSL',
  'MAD',
  'MDL',
  'MGA',
  'MKD',
  'MMK',
  'MNT',
  'MOP',
  'MRU',
  'MUR',
  'MVR',
  'MWK',
  'MXN',
  'MYR',
  'MZN',
  'NAD',
  'NGN',
  'NIO',
  'NOK',
  'NPR',
  'NZD',
  'PAB',
  'PEN',
  'PGK',
  'PHP',
  'PKR',
  'PLN',
  'QAR',
  'RON',
  'RSD',
  'RUB',
  'SAR',
  'SBD',
  'SCR',
  'SDG',
  'SEK',
  'SGD',
  'SHP',
  'SLE',
  'SOS',
  'SRD',
  'SSP',
  'STN',
  'SVC',
  'SYP',
  'SZL',
  'THB',
  'TJS',
  'TMT',
  'TOP',
  'TRY',
  'TTD',
  'TWD',
  'TZS',
  'UAH',
  'USD',
  'UYU',
  'UZS',
  'VES',
  'WST',
  'XCD',
  'XCG',
  'YER',
  'ZAR',
  'ZMW',
  'ZWG',
] as const
export const changeMemoryHours = 2160
export const chargingTimeHours = 24
export const chatMemoryHours = 17532
export const contractRefundTimeHours = 336
export const contractWithdrawalPeriodHours = 336
export const contractWithdrawalsMemoryHours = 8766
export const debitWorkingDays = 14
export const defaultPlaces = 4
export const deliveriesAtOnce = 40
export const deliveriesPage = 30
export const deliveryMemoryHours = 720
export const directPatienceHours = 336
export const draftLifetimeHours = 720
export const earningStepHours = 168
export const feeRateStep = 0.005
export const firstFeeRate = 0.1
export const furthestNoticeMonths = 12
export const furthestRenewalYears = 10
export const guestMemoryMonths = 13
export const invitationLifetimeHours = 168
export const invitationMemoryHours = 2160
export const leastAge = 18
export const leastCardCharge = 0.5
export const leastPublishedCount = 5
export const leastSum = 1
export const leastUseHours = 24
export const leastWithdrawal = 20
export const longestAccessLink = 500
export const longestAccessNote = 500
export const longestAccessReason = 2000
export const longestAddress = 254
export const longestAddressLine = 200
export const longestAdjustmentReason = 480
export const longestBankReference = 200
export const longestCaseText = 2000
export const longestClause = 200
export const longestCycle = 60
export const longestDenial = 300
export const longestDisplayName = 80
export const longestFacts = 1000
export const longestFeature = 200
export const longestFullName = 120
export const longestHoldHours = 4320
export const longestHolder = 70
export const longestInvitedAddress = 200
export const longestInvoicePrefix = 10
export const longestJoinMessage = 500
export const longestLoginName = 200
export const longestMessage = 1000
export const longestNote = 500
export const longestNotice = 280
export const longestPassword = 200
export const longestPaymentLink = 500
export const longestPaymentNote = 500
export const longestPhoneNumber = 40
export const longestPlanName = 100
export const longestPlanNote = 500
export const longestPostcode = 20
export const longestProviderDescription = 2000
export const longestProviderName = 100
export const longestReview = 500
export const longestRoleDescription = 500
export const longestRoleName = 60
export const longestTaxNumber = 50
export const longestToken = 365
export const longestTokenName = 60
export const longestVatNumber = 30
export const longestVatSentence = 300
export const longestWebhookName = 60
export const longestWebsite = 500
export const mailMemoryHours = 720
export const mendingTimeHours = 24
export const mostCoins = 9999999999.99
export const mostFeatures = 30
export const mostFeeRate = 0.2
export const mostGuests = 500
export const mostImportedRows = 2000
export const mostOwnPlans = 50
export const mostPeople = 50
export const mostPlanMembers = 10000
export const mostPlanPrice = 100000
export const mostRequestedPlans = 50
export const mostTaxNumbers = 5
export const noticeDaysShown = 30
export const nudgePauseHours = 24
export const offerLifetimeHours = 24
export const oldSecretTimeHours = 24
export const paymentDisputeTimeHours = 336
export const paymentGraceHours = 72
export const payoutDelayHours = 24
export const problemAnswerTimeHours = 24
export const problemDecisionAimHours = 72
export const problemDecisionTimeHours = 168
export const questionLifetimeHours = 168
export const readNotificationMemoryHours = 2160
export const receiptUndoTimeHours = 24
export const reminderLeadHours = 6
export const renewalNoticeHours = 72
export const renewalRetriesHours = [24, 72, 120] as const
export const requestLifetimeHours = 48
export const requestMemoryHours = 8766
export const reviewWaitHours = 168
export const sharedReads = [
  'rpc/market_plans',
  'rpc/market_plan',
  'rpc/count_available_plans',
  'rpc/plan_of_code',
  'rpc/get_person',
  'rpc/reviews_of',
  'rpc/fee_rate',
  'rpc/public_books',
  'service_provider_data',
] as const
export const shortestAccessReason = 10
export const shortestProviderDescription = 10
export const shortestProviderName = 2
export const shortestRequesterName = 2
export const standingMemoryHours = 4320
export const taxDetailsTimeHours = 87660
export const taxPatienceHours = 1440
export const tokenScopes = ['read plans', 'write plans', 'read money', 'chat', 'drafts'] as const
export const twoAdminsNoticeHours = 24
export const undoLifetimeHours = 48
export const unpaidMemoryHours = 8766
export const unreadNotificationMemoryHours = 8766
export const webhookTypes = [
  'request',
  'approval',
  'payment.due',
  'payment.claimed',
  'payment.paid',
  'payment.late',
  'payment.disputed',
  'message',
  'problem',
] as const
export const wholeCurrencies = [
  'BIF',
  'CLP',
  'DJF',
  'GNF',
  'ISK',
  'JPY',
  'KMF',
  'KRW',
  'PYG',
  'RWF',
  'UGX',
  'VND',
  'VUV',
  'XAF',
  'XOF',
  'XPF',
] as const
