import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { type LinkProps, linkOptions } from '@tanstack/react-router'
import type { Steps } from './home.queries.ts'

/** A person's aim: to join a plan or to share one. */
export type Side = 'join' | 'share'

export interface Step {
  title: string
  text: string
  action: string
  /** The page of the step; null if there is nothing to do yet. */
  link: LinkProps | null
  done: boolean
}

export const stepsOf = (side: Side, steps: Steps): Step[] =>
  side === 'join' ? toJoin(steps) : toShare(steps)

function toJoin({ hasAsked, hasCard, takesCards }: Steps): Step[] {
  const find: Step = {
    title: t`Find a plan`,
    text: t`Choose a service with an open place.`,
    action: t`See the plans`,
    link: linkOptions({ to: '/plans' }),
    done: hasAsked,
  }
  const ask: Step = {
    title: t`Ask for a place`,
    text: t`It’s free. The owner has ${LIMITS.requestLifetimeHours} hours to answer.`,
    action: hasAsked ? t`See your request` : t`See the plans`,
    link: linkOptions({ to: '/plans' }),
    done: hasAsked,
  }
  if (!takesCards)
    return [
      find,
      ask,
      {
        title: t`Pay the owner once you are in`,
        text: t`By bank transfer or payment link.`,
        action: t`See your request`,
        link: hasAsked ? linkOptions({ to: '/my-subscriptions', search: { tab: 'subscribed' } }) : null,
        done: false,
      },
    ]
  const card: Step = {
    title: t`Save a card`,
    text: t`You pay nothing until an owner approves you.`,
    action: t`Save a card`,
    link: linkOptions({ to: '/cards' }),
    done: hasCard,
  }
  return hasAsked ? [find, ask, card] : [find, card, ask]
}

function toShare({ planId, hasInvited }: Steps): Step[] {
  const plan = planId === null ? null : linkOptions({ to: '/manage-shared/$planId', params: { planId } })
  return [
    {
      title: t`Share a plan`,
      text: t`Choose the service and how many places to offer.`,
      action: t`Share a plan`,
      link: linkOptions({ to: '/create' }),
      done: planId !== null,
    },
    {
      title: t`Invite people`,
      text: t`Send an invitation or share your plan’s link.`,
      action: t`Invite people`,
      link: plan,
      done: hasInvited,
    },
    {
      title: t`Approve your first member`,
      text: t`Before that, you say how you’re paid and how they get in.`,
      action: t`See your plan`,
      link: plan,
      done: false,
    },
  ]
}
