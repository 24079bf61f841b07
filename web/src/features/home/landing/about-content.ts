import { LIMITS } from '@potluck/supabase/limits'
import { percentOf } from '#domain/fees.ts'

/** The content of the page "How It Works". */
export const steps = [
  {
    title: 'Bring a plan, or find one',
    text: 'Owners pick their service from the catalogue and open as many places as they like. Everyone else browses what is on the table.',
  },
  {
    title: 'Ask for a place',
    text: `Send a request with a few words about yourself. The owner has ${LIMITS.requestLifetimeHours} hours to say yes, and you can take it back until then.`,
  },
  {
    title: 'Share and save',
    text: 'Members pay their share month by month, to the owner directly or through Potluck. You talk things over in a chat of your own.',
  },
]

export const benefits = [
  { title: 'A fair price', text: "The provider's price divided by its places. Nobody sets their own." },
  {
    title: 'People you choose',
    text: 'Owners approve every member, and either side can leave when it no longer fits.',
  },
  {
    title: 'Passwords in a vault',
    text: 'Encrypted, opened by members whose place is paid alone, and each opening is on a list. When someone leaves, the owner is asked for a new one.',
  },
  {
    title: 'Every month accounted for',
    text: 'Amount, due date, reminders and a receipt, whether money passes between the two of you or through Potluck.',
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
      'On average people save 65-80 percent of what the same plan costs alone. It depends on how many places the plan has: four people pay about a quarter each, six pay about a sixth, plus the convenience fee.',
  },
  {
    question: 'What is the convenience fee?',
    answer: `Where members pay through Potluck, ${feeRate === undefined ? 'a part' : `${percentOf(feeRate)} percent`} on top of their share. It keeps Potluck running, and every price you see already includes it. A plan keeps the fee it was shared with. Who pays the owner directly pays no fee.`,
  },
  {
    question: 'What does an owner get?',
    answer: `Paid directly, the share itself. Paid through Potluck, one coin for every euro of it, earned week by week while access works; from ${LIMITS.leastWithdrawal} coins on, an owner can ask for them to be paid out, which is done by hand within 1-3 business days.`,
  },
  {
    question: 'How do I get into the shared account?',
    answer:
      'The owner stores login name, password or an invitation link on the page of the plan. Only members see them, after showing once more that it is them. Where nothing is stored yet, ask the owner in the chat.',
  },
  {
    question: 'What happens to my request?',
    answer: `The owner sees it at once and can approve or reject it for ${LIMITS.requestLifetimeHours} hours. After that it expires, and you are free to ask again or to look elsewhere.`,
  },
  {
    question: 'My service is not in the catalogue. What now?',
    answer:
      'Tell us which one is missing and what its plans cost. We check new services within 3-5 business days. Please share only what the terms of your provider allow.',
  },
]
