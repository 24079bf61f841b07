import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { planName } from '#domain/plan-name.ts'
import { recallTarget } from '#features/account/auth/post-login.ts'
import { offerQuery } from '#features/plans/browse/market.queries.ts'

/**
 * The action for which a visitor came, in words, so that they know it is not lost while they sign in; null if unknown.
 */
export function usePurpose(): string | null {
  const target = recallTarget()
  const [, asked] = /^\/plans\/([^/?#]+)/.exec(target) ?? []
  const planId = asked && decodeURIComponent(asked)
  const { data: offer } = useQuery({ ...offerQuery(planId ?? ''), enabled: Boolean(planId) })
  if (offer) return t`You’re about to join ${offer.provider} ${planName(offer.name)}`
  const { pathname } = new URL(target, 'https://any.example')
  if (pathname === '/create') return t`You’re about to share a plan`
  return /^\/(plans|available-subscriptions)$/.test(pathname) ? t`You’re about to join a plan` : null
}
