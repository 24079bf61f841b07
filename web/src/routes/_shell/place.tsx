import { Container } from '@mantine/core'
import { createFileRoute, useLocation } from '@tanstack/react-router'
import { PlaceScreen } from '#features/joining/guests/PlaceScreen.tsx'

/** The page of a guest; the secret of their link is the fragment. */
export const Route = createFileRoute('/_shell/place')({ component: PlacePage })

function PlacePage() {
  const secret = useLocation().hash
  return (
    <Container size="sm" py={{ base: 'sm', sm: 'lg' }}>
      <PlaceScreen key={secret} secret={secret} />
    </Container>
  )
}
