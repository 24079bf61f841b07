import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { AuthPanel } from '#features/account/auth/AuthPanel.tsx'
import { EmailLinkForm } from '#features/account/auth/EmailLinkForm.tsx'
import { isPublicCode, planOfCodeQuery } from '#features/plans/shared-plans/plan-link.ts'
import { useSession } from '#lib/session.ts'
import { PageLoading } from '#ui/Skeletons.tsx'
import { OpenLink } from './-OpenLink.tsx'
import { OfferScreen } from './-offer/OfferScreen.tsx'

/** The target of a plan's short link. */
export const Route = createFileRoute('/_shell/p/$code')({
  staticData: { reading: true },
  loader: async ({ context: { queryClient: cache }, params: { code } }) => {
    if (!isPublicCode(code)) return
    // The page itself shows a failure.
    const planId = await cache.ensureQueryData(planOfCodeQuery(code)).catch(() => null)
    if (planId !== null) throw redirect({ to: '/plans/$planId', params: { planId }, replace: true })
  },
  component: () => {
    const { code } = Route.useParams()
    if (!isPublicCode(code)) return <PrivatePlan code={code} />
    return (
      <Container py={{ base: 'sm', sm: 'lg' }}>
        <OfferScreen planId={code} />
      </Container>
    )
  },
})

/** The link of a private plan. Before sign-in it reveals nothing, not even whether the plan exists. */
function PrivatePlan({ code }: { code: string }) {
  const { status } = useSession()
  const here = `/p/${encodeURIComponent(code)}`
  if (status === 'loading') return <PageLoading />
  if (status === 'signed-in') return <OpenLink token={code} />
  return (
    <AuthPanel title={t`A private plan`} subline={t`Sign in or sign up to see it.`} mood="excited">
      <EmailLinkForm target={here} from={here} />
    </AuthPanel>
  )
}
