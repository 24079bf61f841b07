import { Container } from '@mantine/core'
import { createFileRoute, useRouterState } from '@tanstack/react-router'
import { UndoScreen } from '#features/account/security/UndoScreen.tsx'

/** The target of "This wasn’t me" in a mail. The token is in the hash, which browsers do not send to a server. */
export const Route = createFileRoute('/_shell/undo-change')({ component: UndoChange })

function UndoChange() {
  const fragment = useRouterState({ select: ({ location }) => location.hash })
  const { token = '', change } = Object.fromEntries(new URLSearchParams(fragment))
  return (
    <Container py={{ base: 'sm', sm: 'lg' }}>
      <UndoScreen key={token} token={token} kind={change} />
    </Container>
  )
}
