import { t } from '@lingui/core/macro'
import { Container } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { ProviderRequestList } from '#features/plans/provider-requests/ProviderRequestList.tsx'
import { providerRequestTexts } from '#features/plans/provider-requests/provider-requests.messages.ts'
import { providerRequestsQuery } from '#features/plans/provider-requests/provider-requests.queries.ts'
import { useUser } from '#lib/session.ts'
import { LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'

export const Route = createFileRoute('/_shell/_signed-in/my-provider-requests')({
  staticData: { signInNotice: { title: t`Please sign in to view your provider requests.` } },
  loader: ({ context: { queryClient: cache, user } }) => {
    void cache.prefetchQuery(providerRequestsQuery(user.id))
  },
  component: MyProviderRequests,
})

function MyProviderRequests() {
  const { id: userId } = useUser()
  const { data: requests = [] } = useQuery(providerRequestsQuery(userId))
  // A request that was approved has the main button: to share a plan of the provider.
  const isApproved = requests.some(({ status }) => status === 'approved')
  const ask = (
    <LinkButton
      to="/request-provider"
      variant={isApproved ? 'default' : 'filled'}
      leftSection={<IconPlus size={18} aria-hidden />}
    >
      {t`Request Provider`}
    </LinkButton>
  )
  return (
    <Container size="sm" py={{ base: 'md', sm: 'lg' }}>
      <PageTitle title={providerRequestTexts.title} actions={requests.length > 0 && ask}>
        {providerRequestTexts.review}
      </PageTitle>
      <ProviderRequestList userId={userId} action={ask} />
    </Container>
  )
}
