import { linkOptions } from '@tanstack/react-router'
import { formatMoney } from '#domain/money.ts'
import type { Task } from './home.queries.ts'

type Links = ReturnType<typeof linksOf>
/** `due`: its time is when it was due, not how long is left. */
type Words = [title: string, action: string, page: keyof Links, time?: 'due']

/** What a task asks for, what its button says, and where it leads. */
export function wordsOf(task: Task) {
  const person = task.person || 'Somebody'
  const money = formatMoney(task.amount)
  const words: Record<Task['kind'], Words> = {
    'answer-request': [`${person} asks for a place`, 'Answer', 'owner'],
    'give-access': [`${person} has paid and waits to get in`, 'Give access', 'owner'],
    'check-access': ['You have access. Does it work?', 'Say so', 'member'],
    'confirm-payment': [`${person} says that ${money} is paid`, 'Confirm', 'owner'],
    pay: [`${person} gets ${money} from you`, 'Pay', 'member', 'due'],
    'pay-again': [`${person} has not received ${money}`, 'See why', 'member', 'due'],
    'mend-payment': [`${money} could not be charged`, 'Pay', 'pay'],
    'confirm-card': [`Your bank asks you to confirm ${money}`, 'Confirm', 'pay'],
    'answer-problem': [`${person} reports a problem`, 'Answer', 'problem'],
    'check-fix': [`${person} says that it works again`, 'Check', 'problem'],
    'change-password': ['Somebody has left who knows the password', 'Change it', 'owner'],
    'answer-terms': [`${person} proposes new terms`, 'Answer', 'member'],
    'say-how-to-pay': ['Your members do not see yet how to pay you', 'Say how', 'settings'],
    'take-place': ['A place is kept for you', 'Take it', 'plan'],
    'answer-invitation': [`${person} invites you`, 'Answer', 'invitation'],
  }
  const [title, action, page, time = 'left'] = words[task.kind]
  return { title, action, link: linksOf(task)[page], time }
}

function linksOf({ id, planId: plan }: Task) {
  const planId = plan ?? ''
  return {
    owner: linkOptions({ to: '/manage-shared/$planId', params: { planId } }),
    member: linkOptions({ to: '/manage-subscribed/$planId', params: { planId } }),
    plan: linkOptions({ to: '/subscription/$planId', params: { planId } }),
    pay: linkOptions({ to: '/pay/$paymentId', params: { paymentId: id ?? '' }, search: {} }),
    problem: linkOptions({ to: '/problems/$problemId', params: { problemId: id ?? '' } }),
    invitation: linkOptions({ to: '/invitation/$token', params: { token: id ?? '' } }),
    settings: linkOptions({ to: '/account-settings' }),
  }
}
