import { LIMITS } from '@potluck/supabase/limits'
import { IconLock, IconReceipt, IconScissors, IconUsersGroup } from '@tabler/icons-react'
import { percentOf } from '#domain/fees.ts'

/** The content of the page "How It Works". */
export const steps = [
  {
    title: 'Bring a plan, or find one',
    text: 'Owners pick their service and open places. Everyone else browses what’s on the table.',
  },
  {
    title: 'Ask for a place',
    text: `Send a request with a few words about yourself. The owner has ${LIMITS.requestLifetimeHours} hours to answer.`,
  },
  {
    title: 'Share and save',
    text: 'Members pay their share each month, directly or through Potluck. Your chat keeps you in touch.',
  },
]

export const benefits = [
  {
    icon: IconScissors,
    title: 'A fair price',
    text: 'The provider’s price divided by its places. No one can charge more.',
  },
  {
    icon: IconUsersGroup,
    title: 'People you choose',
    text: 'Owners approve every member, and either side can end it.',
  },
  {
    icon: IconLock,
    title: 'Passwords in a vault',
    text: 'Encrypted and only for members who have paid. When someone leaves, we ask the owner for a new one.',
  },
  {
    icon: IconReceipt,
    title: 'Every month accounted for',
    text: 'Amount, due date, reminders and a receipt, however you pay.',
  },
]

export interface Question {
  question: string
  answer: string
}

/** A fee that is unknown is not mentioned. */
export const questions = (feeRate: number | undefined): readonly Question[] => [
  {
    question: 'How much can I save?',
    answer:
      'On average, 65-80 percent of what the plan costs alone. Four people pay about a quarter each, six about a sixth, plus any convenience fee.',
  },
  {
    question: 'What is the convenience fee?',
    answer: `When members pay through Potluck, ${feeRate === undefined ? 'a part' : `${percentOf(feeRate)} percent`} on top of their share. It keeps Potluck running, and every price you see includes it. If you pay the owner directly, there is no fee.`,
  },
  {
    question: 'What does an owner get?',
    answer: `Their members’ shares, paid directly or as coins. Through Potluck, owners earn one coin for every euro, week by week while access works. They can withdraw from ${LIMITS.leastWithdrawal} coins. Payouts take 1-3 business days.`,
  },
  {
    question: 'How do I get into the shared account?',
    answer:
      'The owner adds the login or an invitation link on the plan’s page. Only members see it. Nothing there yet? Ask the owner in the chat.',
  },
  {
    question: 'What happens to my request?',
    answer: `The owner has ${LIMITS.requestLifetimeHours} hours to approve or reject it. After that it expires, and you can ask again.`,
  },
  {
    question: 'My service is not in the catalogue. What now?',
    answer: 'Tell us which one is missing and what it costs. We check new services within 3-5 business days.',
  },
]
