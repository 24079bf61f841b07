import { Alert, Container } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useUser } from '#lib/session.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { AccessRequestForm } from './AccessRequestForm.tsx'
import { accessRequestTexts } from './access-requests.messages.ts'
import { useRequestAccess } from './access-requests.mutations.ts'
import { latestAccessRequestQuery } from './access-requests.queries.ts'

/** Asks for access to the admin area, one request at a time; for anybody who is signed in. */
export function AccessRequestScreen() {
  const { id, email } = useUser()
  const latest = useQuery(latestAccessRequestQuery(id))
  const request = useRequestAccess()
  return (
    <Container size="xs" py={{ base: 'md', sm: 'lg' }}>
      <PageTitle title={accessRequestTexts.title}>{accessRequestTexts.restricted}</PageTitle>
      <Loaded of={latest} failed={accessRequestTexts.latestFailed}>
        {(last) =>
          last?.status === 'pending' ? (
            <EmptyState title={accessRequestTexts.sentTitle} order={2} mood="excited">
              {accessRequestTexts.sent}
            </EmptyState>
          ) : (
            <>
              {last && (
                <Alert color="clay" mb="md" icon={<IconInfoCircle aria-hidden />}>
                  Your last request was {last.status}{' '}
                  <RelativeDate date={last.reviewedAt ?? last.requestedAt} />. You can send another one.
                </Alert>
              )}
              <AccessRequestForm
                email={email}
                busy={request.isPending}
                onSend={(wish) => request.mutate(wish)}
              />
            </>
          )
        }
      </Loaded>
    </Container>
  )
}
