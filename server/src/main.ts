// The server's entry point.
import { serve } from './serve.ts'

await serve()
