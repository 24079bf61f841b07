import { t } from '@lingui/core/macro'

/** What staff did, by what the log calls it. */
const ACTIONS: Record<string, string> = {
  'role given': t`role given`,
  'role taken': t`role taken`,
  'role changed': t`role changed`,
  'role defined': t`role defined`,
  'role edited': t`role edited`,
  'settings changed': t`settings changed`,
  'provider switched off': t`provider switched off`,
  'provider switched on': t`provider switched on`,
  'plan approved': t`plan approved`,
  'plan rejected': t`plan rejected`,
  'plan pending': t`plan to be reviewed again`,
  'review left': t`review left as it is`,
  'review hidden': t`review hidden`,
  'report closed': t`report closed`,
  'support request answered': t`support request answered`,
  'provider request approved': t`provider request approved`,
  'provider request rejected': t`provider request rejected`,
  'access request approved': t`access request approved`,
  'access request rejected': t`access request rejected`,
  'withdrawal processing': t`withdrawal processing`,
  'withdrawal completed': t`withdrawal completed`,
  'withdrawal rejected': t`withdrawal rejected`,
  'withdrawal returned': t`withdrawal returned`,
  'problem decided for-owner': t`problem decided for the owner`,
  'problem decided for-member': t`problem decided for the member`,
  'wallet adjusted': t`wallet adjusted`,
  'account banned': t`account banned`,
  'account let in again': t`account let in again`,
  'payment file made': t`payment file made`,
  'payment file opened': t`payment file opened`,
  'payment file voided': t`payment file voided`,
  'left out of a payment file': t`left out of a payment file`,
  'tax report made': t`tax report made`,
  'tax report opened': t`tax report opened`,
  'tax report voided': t`tax report voided`,
  'payment event looked at': t`payment event looked at`,
  'dispute answered': t`dispute answered`,
  'warned payment refunded': t`warned payment refunded`,
  'fraud warning left': t`fraud warning left`,
  'withdrawals lifted': t`withdrawals lifted`,
}

const DETAILS: Record<string, string> = {
  before: t`before`,
  after: t`after`,
  reason: t`reason`,
  finding: t`finding`,
  request: t`request`,
  answer: t`answer`,
  provider: t`provider`,
  amount: t`amount`,
  payments: t`payments`,
  type: t`type`,
  about: t`about`,
  until: t`until`,
  withdrawals: t`withdrawals`,
}

/** What the log says was done; an action of a later version is shown as it is. */
export const actionName = (action: string): string => ACTIONS[action] ?? action

export const detailName = (name: string): string => DETAILS[name] ?? name.replaceAll('_', ' ')
