import { linkOptions } from '@tanstack/react-router'
import { formatMoney } from '#domain/money.ts'
import type { Task } from './home.queries.ts'

interface Words {
  /** What waits. */
  title: string
  /** What the button says. */
  action: string
  /** Where it is done. */
  link: ReturnType<typeof linkOf>
  /** What the time says: how long there is to answer, or since when it is due. */
  time: 'left' | 'due'
}

type Page = 'owner' | 'member' | 'plan' | 'pay' | 'problem' | 'settings' | 'invitation'

/** What a task asks for, and where that is done. */
export function wordsOf(task: Task): Words {
  const { kind, amount } = task
  const person = task.person || 'Somebody'
  const money = formatMoney(amount)
  const words = (title: string, action: string, page: Page, time: Words['time'] = 'left'): Words => ({
    title,
    action,
    link: linkOf(page, task),
    time,
  })
  switch (kind) {
    case 'answer-request':
      return words(`${person} asks for a place`, 'Answer', 'owner')
    case 'give-access':
      return words(`${person} has paid and waits to get in`, 'Give access', 'owner')
    case 'check-access':
      return words('You have access. Does it work?', 'Say so', 'member')
    case 'confirm-payment':
      return words(`${person} says that ${money} is paid`, 'Confirm', 'owner')
    case 'pay':
      return words(`${person} gets ${money} from you`, 'Pay', 'member', 'due')
    case 'pay-again':
      return words(`${person} has not received ${money}`, 'See why', 'member', 'due')
    case 'mend-payment':
      return words(`${money} could not be charged`, 'Pay', 'pay')
    case 'confirm-card':
      return words(`Your bank asks you to confirm ${money}`, 'Confirm', 'pay')
    case 'answer-problem':
      return words(`${person} reports a problem`, 'Answer', 'problem')
    case 'check-fix':
      return words(`${person} says that it works again`, 'Check', 'problem')
    case 'change-password':
      return words('Somebody has left who knows the password', 'Change it', 'owner')
    case 'answer-terms':
      return words(`${person} proposes new terms`, 'Answer', 'member')
    case 'say-how-to-pay':
      return words('Your members do not see yet how to pay you', 'Say how', 'settings')
    case 'take-place':
      return words('A place is kept for you', 'Take it', 'plan')
    case 'answer-invitation':
      return words(`${person} invites you`, 'Answer', 'invitation')
  }
}

function linkOf(page: Page, { id, planId: plan }: Task) {
  const planId = plan ?? ''
  switch (page) {
    case 'owner':
      return linkOptions({ to: '/manage-shared/$planId', params: { planId } })
    case 'member':
      return linkOptions({ to: '/manage-subscribed/$planId', params: { planId } })
    case 'plan':
      return linkOptions({ to: '/subscription/$planId', params: { planId } })
    case 'pay':
      return linkOptions({ to: '/pay/$paymentId', params: { paymentId: id ?? '' }, search: {} })
    case 'problem':
      return linkOptions({ to: '/problems/$problemId', params: { problemId: id ?? '' } })
    case 'invitation':
      return linkOptions({ to: '/invitation/$token', params: { token: id ?? '' } })
    case 'settings':
      return linkOptions({ to: '/account-settings' })
  }
}
