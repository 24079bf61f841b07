import { plural, t } from '@lingui/core/macro'
import { ALLOWANCES, LIMITS } from '@potluck/supabase/limits'
import { duration } from '#domain/duration.ts'
import { type Question, questions } from '../landing/about-content.ts'

interface Topic {
  title: string
  questions: readonly Question[]
}

/** The questions and answers of the help page, by topic. If the fee is undefined, the answers do not mention it. */
export const topics = (feeRate: number | undefined): readonly Topic[] => [
  { title: t`Getting started`, questions: questions(feeRate) },
  {
    title: t`Joining`,
    questions: [
      {
        question: t`When do I pay?`,
        answer: t`Once the owner approves you. Through Potluck, we charge your card or coins. If you pay the owner directly, choose “I’ve paid” and they confirm with “Received”.`,
      },
      {
        question: t`I paid and have no access`,
        answer: t`The owner has ${duration(LIMITS.accessTimeHours)} to give you access. After that, your place ends and you get back everything you paid through Potluck.`,
      },
      {
        question: t`How do I leave?`,
        answer: t`Choose “Leave” on the plan’s page. You keep access until your paid month ends, or leave now without a refund.`,
      },
      {
        question: t`A plan is full`,
        answer: t`Join its waiting list. When it’s your turn, we keep a place for you for ${duration(LIMITS.offerLifetimeHours)}.`,
      },
    ],
  },
  {
    title: t`Paying`,
    questions: [
      {
        question: t`My card was declined`,
        answer: t`Pay with another card. When you join, we keep your place for ${duration(LIMITS.chargingTimeHours)}. In later months we try ${plural(LIMITS.renewalRetriesHours.length, { one: '# more time', other: '# more times' })} within ${duration(Math.max(...LIMITS.renewalRetriesHours))}, and your access is closed until it works.`,
      },
      {
        question: t`When does my month begin?`,
        answer: t`On the day you get access, then on the same day each month.`,
      },
      {
        question: t`Where is my receipt?`,
        answer: t`Under My Payments. You can print every receipt or save it as a PDF.`,
      },
      {
        question: t`Are my card details safe?`,
        answer: t`Yes. They go straight to the payment provider, and Potluck only sees the last four digits.`,
      },
    ],
  },
  {
    title: t`When something does not work`,
    questions: [
      {
        question: t`The login doesn’t work`,
        answer: t`Report a problem on the plan’s page. From then on, the owner earns nothing. If they don’t answer within ${duration(LIMITS.problemAnswerTimeHours)}, you get the rest of the month back.`,
      },
      {
        question: t`How do I get my money back?`,
        answer: t`We refund every hour without access automatically, to your card first, then in coins. If you paid the owner directly, only they can refund you. We show you both how much.`,
      },
      {
        question: t`Someone behaves badly`,
        answer: t`Report or block them on their page. They are not told.`,
      },
    ],
  },
  {
    title: t`Sharing a plan`,
    questions: [
      {
        question: t`When do I get my money?`,
        answer: t`Directly, when the member pays you. Through Potluck, you earn coins every ${duration(LIMITS.earningStepHours)} and can withdraw from ${LIMITS.leastWithdrawal} coins.`,
      },
      {
        question: t`May I share this plan?`,
        answer: t`Only as far as its provider’s terms allow. Many require one household. You’ll find each provider’s rules next to its plans.`,
      },
      {
        question: t`How do I end a plan?`,
        answer: t`On its page, choose “Cancel Subscription”. We show what each member gets back before you confirm.`,
      },
      {
        question: t`A member has left. What now?`,
        answer: t`Change the password at the service and save the new one here. We remind you until you do.`,
      },
    ],
  },
  {
    title: t`Account and safety`,
    questions: [
      {
        question: t`Who can see my passwords?`,
        answer: t`Only members who have paid, after confirming it’s them. Passwords are encrypted, and you see who opened them.`,
      },
      {
        question: t`How do I protect my account?`,
        answer: t`In Account Settings, add a passkey or an authenticator app, and save the recovery codes.`,
      },
      {
        question: t`How do I get all my data, or delete my account?`,
        answer: t`In Account Settings, choose “Download my data” or “Delete my account”. We show what happens to your plans before you confirm.`,
      },
      {
        question: t`“Too many attempts”?`,
        answer: t`Some actions are limited, such as ${plural(ALLOWANCES['join request'].attempts, { one: '# request', other: '# requests' })} a minute. Wait a moment and try again.`,
      },
    ],
  },
]

/**
 * Returns the topics with only those questions that match a search: each of its words must occur in the topic's title,
 * the question or the answer.
 */
export function found(list: readonly Topic[], wanted: string): readonly Topic[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  return list
    .map((topic) => ({
      ...topic,
      questions: topic.questions.filter(({ question, answer }) => {
        const text = `${topic.title} ${question} ${answer}`.toLowerCase()
        return words.every((word) => text.includes(word))
      }),
    }))
    .filter(({ questions }) => questions.length > 0)
}
