import { Center, Loader } from '@mantine/core'

/** A screen that is loading and has no skeleton of its own. */
export function PageLoading() {
  return (
    <Center mih="50vh" role="status" aria-label="Loading">
      <Loader type="dots" />
    </Center>
  )
}
