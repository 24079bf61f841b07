import { Container } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { DecisionScreen } from '#features/account/decisions/DecisionScreen.tsx'

/** The target of "See the decision" in a mail, which works without signing in, and of its notification. */
export const Route = createFileRoute('/_shell/decision/$key')({ component: Decision })

function Decision() {
  const { key } = Route.useParams()
  return (
    <Container size="sm" py="xl">
      <DecisionScreen key={key} decision={key} />
    </Container>
  )
}
