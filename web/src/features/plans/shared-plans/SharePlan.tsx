import { t } from '@lingui/core/macro'
import type { ButtonProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { ShareLink } from '#ui/ShareLink.tsx'
import { linkTo, planLinkQuery } from './plan-link.ts'

interface SharePlanProps extends Pick<ButtonProps, 'variant'> {
  /** True to show the link in large letters above its buttons. */
  big?: boolean
  planId: string
  /** The provider's and the plan's name. */
  title: string
}

/** Lets the owner copy or share the plan's short link. */
export function SharePlan({ planId, title, ...look }: SharePlanProps) {
  const { data: code, error, refetch } = useQuery(planLinkQuery(planId))
  if (error && !code)
    return (
      <LoadAlert title={t`The link could not be loaded`} problem={error} onRetry={() => void refetch()} />
    )
  return <ShareLink link={code && linkTo(code)} title={title} {...look} />
}
