import { Container } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { DecisionScreen } from '#features/account/decisions/DecisionScreen.tsx'

/** The target of "See the decision" in a mail, which works without signing in, and of its notification. */
export const Route = createFileRoute('/_shell/decision/$token')({ component: Decision })

function Decision() {
  const { token } = Route.useParams()
  return (
    <Container size="sm" py="xl">
      <DecisionScreen key={token} decision={token} />
    </Container>
  )
}
