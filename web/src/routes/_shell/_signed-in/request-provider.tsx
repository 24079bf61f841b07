import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { CATEGORY_CHOICES } from '#domain/catalogue.ts'
import { ProviderRequestForm } from '#features/plans/provider-requests/ProviderRequestForm.tsx'
import { REQUEST_CATEGORIES } from '#features/plans/provider-requests/provider-request.schema.ts'
import { providerRequestTexts } from '#features/plans/provider-requests/provider-requests.messages.ts'
import { useRequestProvider } from '#features/plans/provider-requests/provider-requests.mutations.ts'
import { given } from '#lib/search.ts'
import { useUser } from '#lib/session.ts'
import { BackLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/request-provider')({
  staticData: { signInNotice: { title: t`Please sign in to request a provider.` } },
  /** The category chosen in the create wizard, for the way back. */
  validateSearch: z.object({ category: given(z.enum(CATEGORY_CHOICES)) }),
  component: RequestProvider,
})

function RequestProvider() {
  const { id: userId } = useUser()
  const { category } = Route.useSearch()
  const navigate = Route.useNavigate()
  const request = useRequestProvider(userId, () => navigate({ to: '/my-provider-requests' }))
  return (
    <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
      {category ? (
        <BackLink to="/create" search={{ category }}>{t`Providers`}</BackLink>
      ) : (
        <BackLink to="/my-provider-requests">{t`Provider Requests`}</BackLink>
      )}
      <PageTitle title={t`Request Provider`}>{providerRequestTexts.review}</PageTitle>
      <ProviderRequestForm
        category={REQUEST_CATEGORIES.find((known) => known.toLowerCase() === category) ?? null}
        busy={request.isPending}
        onSend={(values) => request.mutate(values)}
      />
    </Container>
  )
}
