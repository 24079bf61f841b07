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
  { title: 'First things', questions: questions(feeRate) },
  {
    title: 'Joining',
    questions: [
      {
        question: 'When do I pay?',
        answer:
          'Through Potluck, once the owner lets you in: until then nothing is charged. Directly, once the owner has let you in and said how; you say “I’ve paid”, they say “Received”.',
      },
      {
        question: 'I paid and have no access',
        answer: `The owner has ${duration(LIMITS.accessTimeHours)} to let you in. After that your place ends and everything you paid through Potluck comes back automatically.`,
      },
      {
        question: 'How do I leave?',
        answer:
          'On the page of the plan, “Leave”. By default at the end of the month you paid for; leave at once and nothing comes back.',
      },
      {
        question: 'A plan is full',
        answer: `Put yourself on its waiting list. When a place is free it is kept for you for ${duration(LIMITS.offerLifetimeHours)}.`,
      },
    ],
  },
  {
    title: 'Paying',
    questions: [
      {
        question: 'My card was declined',
        answer: `Pay with another one on the page of the payment. Your place is kept for ${duration(LIMITS.chargingTimeHours)} when you join; for later months we try again ${counted(LIMITS.renewalRetriesHours.length, 'time')}, for the last time after ${duration(Math.max(...LIMITS.renewalRetriesHours))}, and access is closed meanwhile.`,
      },
      {
        question: 'When does my month begin?',
        answer:
          'The day you get in, and on the same day of each month after that. The day the service charges the owner is another one.',
      },
      {
        question: 'Where is my receipt?',
        answer: 'Under My Payments. Every payment that went through has one, to print or keep as a PDF.',
      },
      {
        question: 'Are my card details safe?',
        answer: 'They go straight to the payment provider. Potluck sees the last four digits.',
      },
    ],
  },
  {
    title: 'When something does not work',
    questions: [
      {
        question: 'The login does not work',
        answer: `Report a problem on the page of the plan. From that moment nothing of your money goes to the owner. They have ${duration(LIMITS.problemAnswerTimeHours)} to answer; silence gives you the rest of the month back.`,
      },
      {
        question: 'How do I get my money back?',
        answer:
          'For every hour without access, automatically, the way you paid: to your card first, then as coins. What you paid an owner directly, only they can return; Potluck tells both of you how much it is.',
      },
      {
        question: 'Someone behaves badly',
        answer:
          'Report them on their page; staff looks at it and they are not told. You can block them there too: then neither of you sees the other.',
      },
    ],
  },
  {
    title: 'Sharing a plan',
    questions: [
      {
        question: 'When do I get my money?',
        answer: `Directly: when the member pays you. Through Potluck: every ${duration(LIMITS.earningStepHours)} what was earned becomes coins, and from ${LIMITS.leastWithdrawal} coins on you can have them paid out.`,
      },
      {
        question: 'May I share this plan?',
        answer:
          'Only as far as the terms of its provider allow; many ask for one household. The rule of each provider stands beside its plans.',
      },
      {
        question: 'How do I end a plan?',
        answer:
          'On its page, “Cancel plan”. It says before you agree who loses a place and what each gets back.',
      },
      {
        question: 'A member has left. What now?',
        answer: 'Change the password at the service and store the new one. You are reminded until you have.',
      },
    ],
  },
  {
    title: 'Account and safety',
    questions: [
      {
        question: 'Who can see my passwords?',
        answer:
          'Members whose place is paid, after showing once more that it is them. Stored passwords are encrypted, and each opening is on a list that you see.',
      },
      {
        question: 'How do I protect my account?',
        answer: 'Under Account Settings: add a passkey or an authenticator app, and keep the recovery codes.',
      },
      {
        question: 'How do I get all my data, or delete my account?',
        answer:
          'Under Account Settings: “Download my data” gives everything at once; “Delete account” says what happens to your plans and places before you agree.',
      },
      {
        question: '“Too many attempts”?',
        answer: `Potluck slows down whoever does a thing very often, such as more than ${counted(ALLOWANCES['join request'].attempts, 'request')} a minute. Wait as long as it says.`,
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
