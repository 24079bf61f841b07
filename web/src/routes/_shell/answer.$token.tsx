import { Container } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { AnswerScreen } from '#features/money/payments/AnswerScreen.tsx'

/** The target of "Answer" in the mail that asks whether a payment has arrived. */
export const Route = createFileRoute('/_shell/answer/$token')({ component: Answer })

function Answer() {
  const { token } = Route.useParams()
  return (
    <Container size="sm" py={{ base: 'sm', sm: 'lg' }}>
      <AnswerScreen key={token} token={token} />
    </Container>
  )
}
