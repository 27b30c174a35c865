// What does yore-server/client export? The generated client of the service, its errors and its options.
export {
  type CallOptions,
  type ClientOptions,
  type Problem,
  ProblemError,
} from '../src/offer/exchange/service-calls.ts'
export { YoreClient } from './yore-client.generated.ts'
