import { Container } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { UnsubscribeScreen } from '#features/account/notifications/UnsubscribeScreen.tsx'

/** The target of "Stop these e-mails" in a mail. */
export const Route = createFileRoute('/_shell/unsubscribe/$token')({ component: Unsubscribe })

function Unsubscribe() {
  const { token } = Route.useParams()
  return (
    <Container py={{ base: 'sm', sm: 'lg' }}>
      <UnsubscribeScreen key={token} token={token} />
    </Container>
  )
}
