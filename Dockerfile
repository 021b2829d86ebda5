# Touchstone as an image: docker build -t touchstone .
#
#   docker run --rm --read-only --network host --user "$(id -u):$(id -g)" -v "$PWD:/work" -e TOUCHSTONE_API_KEY \
#     touchstone check http://127.0.0.1:8080
#
# `--network host` (Linux) lets it reach services of this machine, and lets them reach its source server. Only /work is written to.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts
RUN mkdir /packed && npm pack --silent --pack-destination /packed
RUN npm install --silent --omit=dev --omit=peer --ignore-scripts --prefix /opt/touchstone /packed/touchstone-*.tgz

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="touchstone" org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/touchstone /opt/touchstone
# Nothing is written outside of the working folder, and whatever runs here owns nothing.
ENV NODE_DISABLE_COMPILE_CACHE=1 HOME=/tmp
WORKDIR /work
USER 10001:10001
ENTRYPOINT ["node", "/opt/touchstone/node_modules/touchstone/bin/touchstone.cjs"]
CMD ["--help"]
