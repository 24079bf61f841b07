import { t } from '@lingui/core/macro'

export const browseTexts = {
  empty: t`No subscriptions available at the moment`,
  noHits: (search: string) => t`No plan matches "${search}"`,
  failed: t`Plans could not be loaded`,
} as const
