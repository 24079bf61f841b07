import { Container, Title } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/_shell/')({ component: Home })

function Home() {
  return (
    <Container py="xl">
      <Title>Share the plan. Split the cost.</Title>
    </Container>
  )
}
