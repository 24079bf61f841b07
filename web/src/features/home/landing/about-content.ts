import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { IconLock, IconReceipt, IconScissors, IconUsersGroup } from '@tabler/icons-react'
import { percentOf } from '#domain/fees.ts'

/** The content of the page "How It Works". */
export const steps = [
  {
    title: t`Bring a plan, or find one`,
    text: t`Owners pick their service and open places. Everyone else browses what’s on the table.`,
  },
  {
    title: t`Ask for a place`,
    text: t`Send a request with a few words about yourself. The owner has ${LIMITS.requestLifetimeHours} hours to answer.`,
  },
  {
    title: t`Share and save`,
    text: t`Members pay their share each month, directly or through Potluck. Your chat keeps you in touch.`,
  },
]

export const benefits = [
  {
    icon: IconScissors,
    title: t`A fair price`,
    text: t`The provider’s price divided by its places. No one can charge more.`,
  },
  {
    icon: IconUsersGroup,
    title: t`People you choose`,
    text: t`Owners approve every member, and either side can end it.`,
  },
  {
    icon: IconLock,
    title: t`Passwords in a vault`,
    text: t`Encrypted and only for members who have paid. When someone leaves, we ask the owner for a new one.`,
  },
  {
    icon: IconReceipt,
    title: t`Every month accounted for`,
    text: t`Amount, due date, reminders and a receipt, however you pay.`,
  },
]

export interface Question {
  question: string
  answer: string
}

/** The questions of the page "How It Works". If the fee is undefined, the answers do not mention it. */
export const questions = (feeRate: number | undefined): readonly Question[] => [
  {
    question: t`How much can I save?`,
    answer: t`On average, 65-80 percent of what the plan costs alone. Four people pay about a quarter each, six about a sixth, plus any convenience fee.`,
  },
  {
    question: t`What is the convenience fee?`,
    answer: [
      feeRate === undefined
        ? t`When members pay through Potluck, a part on top of their share.`
        : t`When members pay through Potluck, ${{ percent: percentOf(feeRate) }} percent on top of their share.`,
      t`It keeps Potluck running, and every price you see includes it. If you pay the owner directly, there is no fee.`,
    ].join(' '),
  },
  {
    question: t`What does an owner get?`,
    answer: t`Their members’ shares, paid directly or as coins. Through Potluck, owners earn one coin for every euro, week by week while access works. They can withdraw from ${LIMITS.leastWithdrawal} coins. Payouts take 1-3 business days.`,
  },
  {
    question: t`How do I get into the shared account?`,
    answer: t`The owner adds the login or an invitation link on the plan’s page. Only members see it. Nothing there yet? Ask the owner in the chat.`,
  },
  {
    question: t`What happens to my request?`,
    answer: t`The owner has ${LIMITS.requestLifetimeHours} hours to approve or reject it. After that it expires, and you can ask again.`,
  },
  {
    question: t`My service is not in the catalogue. What now?`,
    answer: t`Tell us which one is missing and what it costs. We check new services within 3-5 business days.`,
  },
]
