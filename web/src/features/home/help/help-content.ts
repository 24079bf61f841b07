import { ALLOWANCES, LIMITS } from '@potluck/supabase/limits'
import { duration } from '#domain/duration.ts'
import { counted } from '#domain/plural.ts'
import { type Question, questions } from '../landing/about-content.ts'

interface Topic {
  title: string
  questions: readonly Question[]
}

/** Everything the help page answers, by topic. A fee that is unknown is not mentioned. */
export const topics = (feeRate: number | undefined): readonly Topic[] => [
  { title: 'Getting started', questions: questions(feeRate) },
  {
    title: 'Joining',
    questions: [
      {
        question: 'When do I pay?',
        answer:
          'Once the owner approves you. Through Potluck, we charge your card or coins. If you pay the owner directly, choose “I’ve paid” and they confirm with “Received”.',
      },
      {
        question: 'I paid and have no access',
        answer: `The owner has ${duration(LIMITS.accessTimeHours)} to give you access. After that, your place ends and you get back everything you paid through Potluck.`,
      },
      {
        question: 'How do I leave?',
        answer:
          'Choose “Leave” on the plan’s page. You keep access until your paid month ends, or leave now without a refund.',
      },
      {
        question: 'A plan is full',
        answer: `Join its waiting list. When it’s your turn, we keep a place for you for ${duration(LIMITS.offerLifetimeHours)}.`,
      },
    ],
  },
  {
    title: 'Paying',
    questions: [
      {
        question: 'My card was declined',
        answer: `Pay with another card. When you join, we keep your place for ${duration(LIMITS.chargingTimeHours)}. In later months we try ${counted(LIMITS.renewalRetriesHours.length, 'more time')} within ${duration(Math.max(...LIMITS.renewalRetriesHours))}, and your access is closed until it works.`,
      },
      {
        question: 'When does my month begin?',
        answer: 'On the day you get access, then on the same day each month.',
      },
      {
        question: 'Where is my receipt?',
        answer: 'Under My Payments. You can print every receipt or save it as a PDF.',
      },
      {
        question: 'Are my card details safe?',
        answer: 'Yes. They go straight to the payment provider, and Potluck only sees the last four digits.',
      },
    ],
  },
  {
    title: 'When something does not work',
    questions: [
      {
        question: 'The login doesn’t work',
        answer: `Report a problem on the plan’s page. From then on, the owner earns nothing. If they don’t answer within ${duration(LIMITS.problemAnswerTimeHours)}, you get the rest of the month back.`,
      },
      {
        question: 'How do I get my money back?',
        answer:
          'We refund every hour without access automatically, to your card first, then in coins. If you paid the owner directly, only they can refund you. We show you both how much.',
      },
      {
        question: 'Someone behaves badly',
        answer: 'Report or block them on their page. They are not told.',
      },
    ],
  },
  {
    title: 'Sharing a plan',
    questions: [
      {
        question: 'When do I get my money?',
        answer: `Directly, when the member pays you. Through Potluck, you earn coins every ${duration(LIMITS.earningStepHours)} and can withdraw from ${LIMITS.leastWithdrawal} coins.`,
      },
      {
        question: 'May I share this plan?',
        answer:
          'Only as far as its provider’s terms allow. Many require one household. You’ll find each provider’s rules next to its plans.',
      },
      {
        question: 'How do I end a plan?',
        answer:
          'On its page, choose “Cancel Subscription”. We show what each member gets back before you confirm.',
      },
      {
        question: 'A member has left. What now?',
        answer: 'Change the password at the service and save the new one here. We remind you until you do.',
      },
    ],
  },
  {
    title: 'Account and safety',
    questions: [
      {
        question: 'Who can see my passwords?',
        answer:
          'Only members who have paid, after confirming it’s them. Passwords are encrypted, and you see who opened them.',
      },
      {
        question: 'How do I protect my account?',
        answer: 'In Account Settings, add a passkey or an authenticator app, and save the recovery codes.',
      },
      {
        question: 'How do I get all my data, or delete my account?',
        answer:
          'In Account Settings, choose “Download my data” or “Delete my account”. We show what happens to your plans before you confirm.',
      },
      {
        question: '“Too many attempts”?',
        answer: `Some actions are limited, such as ${counted(ALLOWANCES['join request'].attempts, 'request')} a minute. Wait a moment and try again.`,
      },
    ],
  },
]

/** The questions that have every word of a search, in the question or the answer. */
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
